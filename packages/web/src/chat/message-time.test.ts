import { expect, it } from 'vitest'
import { formatMessageTime } from './message-time.ts'

const at = Date.UTC(2026, 8, 1, 22, 30)

it("is the time for today, and the date and time for other days, in the user's zone", () => {
  expect(formatMessageTime(at, at + 60_000, 'en-GB', 'Europe/London')).toBe('23:30')
  expect(formatMessageTime(at, at + 3_600_000, 'en-GB', 'Europe/London')).toMatch(/^1 Sept? 2026, 23:30$/)
  expect(formatMessageTime(at, at + 3_600_000, 'ru', 'Europe/Moscow')).toBe('01:30')
})

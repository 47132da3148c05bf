import { afterEach, expect, it } from 'vitest'
import { noteServerTime, serverTime } from './server-time.ts'

const NOW = Date.UTC(2031, 4, 14, 9, 30)
const dateAt = (ms: number) => new Date(ms).toUTCString()
afterEach(() => noteServerTime(dateAt(NOW), NOW))

it('is as wrong as the clock of this machine by less than a minute, and right beyond', () => {
  for (const offMs of [0, 59_000, -59_000]) {
    noteServerTime(dateAt(NOW + offMs), NOW)
    expect(serverTime(NOW)).toBe(NOW)
  }
  for (const offMs of [3_600_000, -86_400_000]) {
    noteServerTime(dateAt(NOW + offMs), NOW)
    expect(serverTime(NOW + 5)).toBe(NOW + offMs + 5)
  }
  for (const none of [null, '', 'soon']) noteServerTime(none, NOW)
  expect(serverTime(NOW)).toBe(NOW - 86_400_000)
})

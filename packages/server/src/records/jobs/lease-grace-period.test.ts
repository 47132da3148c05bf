import { expect, it } from 'vitest'
import { LeaseGracePeriod } from './lease-grace-period.ts'

const HOUR_MS = 3_600_000

it.each([
  ['set back, shortly after the start', -HOUR_MS],
  ['set forward', HOUR_MS],
])('J22 gives holders seconds to renew after the clock was %s, and no more', (_, byMs) => {
  const period = new LeaseGracePeriod()
  let nowMs = 10 * HOUR_MS
  const poll = (seconds: number) => {
    for (const end = nowMs + seconds * 1_000; nowMs < end; nowMs += 1_000) period.onReached(nowMs)
  }
  poll(60)
  expect(period.expired(nowMs).expiredAtMs).toBe(nowMs)
  nowMs += byMs
  expect(period.expired(nowMs).expiredAtMs).toBe(0)
  poll(5)
  expect(period.expired(nowMs).expiredAtMs).toBe(0)
  poll(25)
  expect(period.expired(nowMs).expiredAtMs).toBe(nowMs)
})

import { beforeEach, describe, expect, it } from 'vitest'
import { InMemoryEventBus } from '../control/streams/event-bus.ts'
import { networksOf } from '../platform/networks.ts'
import { FailureLimiter, type FailureNotice } from './failure-limiter.ts'

const MINUTE = 60_000

let now: number
let limiter: FailureLimiter
/** The limiter of another server of the cluster. */
let other: FailureLimiter
beforeEach(() => {
  now = 0
  const limits = { FailedLoginsPerAccount: 5, FailedLoginsPerAddress: 10, FailedLogins: 100 }
  const bus = new InMemoryEventBus<FailureNotice>()
  limiter = new FailureLimiter(limits, () => now, bus)
  other = new FailureLimiter(limits, () => now, bus)
})

const fail = (login: string, address: string, isKnown = false) =>
  limiter.reserve(login, networksOf(address), isKnown)
/** The number of permitted attempts; all of them fail. */
function failures(attempts: number, attempt: (i: number) => unknown): number {
  for (let i = 0; i < attempts; i++) {
    try {
      attempt(i)
    } catch {
      return i
    }
  }
  return attempts
}
const refusal = (seconds: number) =>
  expect.objectContaining({ code: 'rate_limited', retryAfterMs: seconds * 1000 })

describe('failed logins', () => {
  it('are limited for each account across all addresses', () => {
    expect(failures(20, i => fail('anna', `203.0.113.${i}`))).toBe(5)
    expect(() => fail('anna', '198.51.100.1')).toThrow(refusal(120))
    now += 2 * MINUTE
    expect(failures(20, () => fail('anna', '198.51.100.1'))).toBe(1)
    expect(failures(1, () => fail('ben', '198.51.100.1'))).toBe(1)
  })

  it('are forgotten as fast when the clock is set back', () => {
    now += 60 * MINUTE
    expect(failures(20, () => fail('anna', '203.0.113.1'))).toBe(5)
    now -= 60 * MINUTE
    expect(() => fail('anna', '203.0.113.1')).toThrow(refusal(120))
    now += 2 * MINUTE
    expect(failures(20, () => fail('anna', '203.0.113.1'))).toBe(1)
  })

  it('are limited for all servers together, and are reverted on all of them', () => {
    const everywhere = (i: number) =>
      (i % 2 === 0 ? limiter : other).reserve('anna', networksOf(`203.0.113.${i}`), false)
    for (let i = 0; i < 20; i++) everywhere(i)()
    expect(failures(20, everywhere)).toBe(5)
    for (const each of [limiter, other])
      expect(() => each.reserve('anna', networksOf('198.51.100.1'), false)).toThrow(refusal(120))
  })

  it('are limited for each address across all accounts', () => {
    expect(failures(20, i => fail(`user-${i}`, '203.0.113.1'))).toBe(10)
    expect(failures(1, () => fail('another', '203.0.113.2'))).toBe(1)
  })

  it('are limited for an IPv6 /64 and for its /48', () => {
    expect(failures(20, i => fail(`user-${i}`, `2001:db8:1:1::${i}`))).toBe(10)
    expect(failures(50, i => fail(`other-${i}`, `2001:db8:1:${100 + i}::1`))).toBe(30)
    expect(failures(1, () => fail('another', '2001:db8:2::1'))).toBe(1)
  })

  it('lock nobody out because the clock is set back', () => {
    now = 60 * MINUTE
    expect(failures(1, () => fail('anna', '203.0.113.1'))).toBe(1)
    now = 0
    expect(failures(20, i => fail('anna', `203.0.113.${i}`))).toBe(4)
  })

  it('are limited in total', () => {
    expect(failures(200, i => fail(`user-${i}`, `203.0.${i}.1`))).toBe(100)
    now += 10 * MINUTE
    expect(failures(200, i => fail(`user-${i}`, `203.0.${i}.1`))).toBe(100)
  })

  it('of others do not count for a known network', () => {
    failures(200, i => fail(i < 5 ? 'anna' : `user-${i}`, `203.0.${i}.1`))
    expect(() => fail('anna', '198.51.100.1')).toThrow(refusal(120))
    expect(failures(20, () => fail('anna', '198.51.100.1', true))).toBe(10)
  })

  it('are counted before the attempt, and reverted when it succeeds', () => {
    const reverts = [0, 1, 2, 3, 4].map(() => fail('anna', '203.0.113.1'))
    expect(failures(1, () => fail('anna', '203.0.113.1'))).toBe(0)
    reverts[0]?.()
    expect(failures(2, () => fail('anna', '203.0.113.1'))).toBe(1)
  })
})

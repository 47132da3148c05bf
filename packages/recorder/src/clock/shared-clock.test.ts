import { expect, it } from 'vitest'
import { ntpToMs, SenderClock } from './shared-clock.ts'

const ntp = (ms: number) =>
  (BigInt(Math.floor(ms / 1000)) << 32n) | BigInt(Math.round(((ms % 1000) / 1000) * 2 ** 32))

it('converts NTP fixed point to milliseconds', () => {
  expect(ntpToMs(ntp(123_456.5))).toBeCloseTo(123_456.5, 3)
})

it('is anchored by the report with the least delay', () => {
  const clock = new SenderClock()
  clock.unixMs(ntp(1000), 501_080)
  expect(clock.unixMs(ntp(2000), 502_010)).toBeCloseTo(502_010, 2)
  expect(clock.unixMs(ntp(3000), 503_090)).toBeCloseTo(503_010, 0)
})

it('keeps a separate anchor per media worker', () => {
  const clock = new SenderClock()
  clock.unixMs(ntp(1_000_000), 501_000)
  expect(clock.unixMs(ntp(7000), 502_000)).toBeCloseTo(502_000, 2)
  expect(clock.unixMs(ntp(1_001_500), 502_540)).toBeCloseTo(502_500, 0)
})

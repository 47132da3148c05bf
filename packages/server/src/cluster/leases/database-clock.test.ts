import { expect, it } from 'vitest'
import { DatabaseClock } from './database-clock.ts'

function createClock() {
  const machine = { nowMs: 1_000_000, monotonicMs: 0 }
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => void warnings.push(message) }
  const clock = new DatabaseClock(
    () => machine.nowMs,
    log as never,
    () => machine.monotonicMs,
  )
  const adjust = (databaseMs: number) => clock.adjust(async () => databaseMs)
  return { machine, warnings, clock, adjust }
}

it('LEASE-10 the clock is that of the machine while both agree within a second', async () => {
  const { clock, adjust, warnings } = createClock()
  for (const difference of [0, 900, -900]) {
    await adjust(1_000_000 + difference)
    expect(clock.now()).toBe(1_000_000)
  }
  expect(warnings).toEqual([])
})

it('LEASE-10 the clock follows the database otherwise, once reported, until the clock of the machine is set', async () => {
  const { machine, clock, adjust, warnings } = createClock()
  await adjust(8_200_000)
  expect(clock.now()).toBe(8_200_000)
  machine.nowMs += 5_000
  await adjust(8_205_000)
  expect(clock.now()).toBe(8_205_000)
  machine.nowMs = 8_210_000 // NTP
  await adjust(8_210_100)
  expect(clock.now()).toBe(8_210_000)
  expect(warnings).toHaveLength(2)
})

it('LEASE-10 the clock is not changed by what a slow answer cannot tell, nor by a failure', async () => {
  const { machine, clock, warnings } = createClock()
  const slow = async () => {
    machine.monotonicMs += 400
    return 1_001_300
  }
  await clock.adjust(slow)
  await clock.adjust(async () => Promise.reject(new Error('offline'))).catch(() => {})
  expect(clock.now()).toBe(1_000_000)
  expect(warnings).toEqual([])
})

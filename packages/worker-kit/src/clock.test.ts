import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { beginClock, nowMs } from './clock.ts'

const HOUR_MS = 3_600_000
const NOON_MS = Date.parse('2030-09-01T12:00:00Z')

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lectern-clock-'))
  vi.useFakeTimers({ toFake: ['Date'], now: NOON_MS })
})
afterEach(async () => {
  vi.useRealTimers()
  await beginClock(job('real'), true) // other files of the thread have the same clock
  await rm(home, { recursive: true })
})

const job = (name: string) => join(home, name)
const hours = () => Math.round((nowMs() - NOON_MS) / HOUR_MS)

it('goes on when the system clock is set while jobs run, and takes it over for the next one', async () => {
  await beginClock(job('first'), true)
  expect(hours()).toBe(0)
  vi.setSystemTime(NOON_MS - 2 * HOUR_MS)
  await beginClock(job('beside'), false)
  expect(hours()).toBe(0)
  await beginClock(job('next'), true)
  expect(hours()).toBe(-2)
})

it('of a job goes on in the next process, whatever the system clock says by then', async () => {
  await beginClock(job('first'), true)
  vi.setSystemTime(NOON_MS - 2 * HOUR_MS)
  await beginClock(job('other'), true)
  await beginClock(job('first'), true)
  expect(hours()).toBe(0)
  vi.setSystemTime(NOON_MS + 5 * HOUR_MS)
  await beginClock(job('first'), true)
  expect(hours()).toBe(0)
})

it('of a job is not before its files after a start of the system', async () => {
  await beginClock(job('first'), true)
  const file = join(job('first'), 'clock.json')
  const stored = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...stored, bootId: 'another', offsetMs: 0 }))
  await utimes(file, NOON_MS / 1000, (NOON_MS + HOUR_MS) / 1000)
  vi.setSystemTime(NOON_MS - 2 * HOUR_MS)
  await beginClock(job('first'), true)
  expect(hours()).toBe(1)
})

it('is the one of the system where the folder cannot be written', async () => {
  await writeFile(job('full'), '')
  vi.setSystemTime(NOON_MS + HOUR_MS)
  await utimes(job('full'), 0, 0)
  await beginClock(job('full'), true)
  expect(hours()).toBe(1)
})

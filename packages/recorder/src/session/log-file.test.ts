import { mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PARTICIPANT_LEFT } from './attendance.ts'
import { EventLog } from './event-log.ts'
import { BUFFER_BYTES, type Dropped, ESSENTIAL_BUFFER_BYTES, LINES_DROPPED } from './log-file.ts'
import { linesOf } from './log-reader.ts'

const MESSAGES = 10_000

let folder: string
let file: string
let dropped: Dropped[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-log-'))
  file = join(folder, 'events.jsonl')
  dropped = []
})
afterEach(() => rm(folder, { recursive: true }))

const open = () => new EventLog(folder, each => dropped.push(each))
const names = () => [...linesOf(file)].map(({ name }) => name)
const numbers = () => [...linesOf(file)].flatMap(({ name, body }) => (name === 'n' ? Number(body.n) : []))

/** Every write fails as on a full disk. */
async function fillDisk() {
  await rename(file, `${file}.elsewhere`)
  await symlink('/dev/full', file)
}
async function freeSpace() {
  await unlink(file)
  await rename(`${file}.elsewhere`, file)
}

it('buffers lines while the disk is full, and writes them once and in order', async () => {
  const log = open()
  log.add('n', { n: 0 })
  await fillDisk()
  for (let n = 1; n <= 1_000; n++) log.add('n', { n })
  expect(log.bufferedBytes).toBeGreaterThan(0)
  expect(() => log.write()).toThrow('ENOSPC')
  await freeSpace()
  log.add('n', { n: 1_001 })
  log.write()
  expect(numbers()).toEqual(Array.from({ length: 1_002 }, (_, n) => n))
  expect([log.bufferedBytes, dropped]).toEqual([0, []])
})

it('drops what exceeds the buffer, counts it, and keeps attendance', async () => {
  const log = open()
  log.add('n', { n: -1 }, 500)
  await fillDisk()
  for (let n = 0; n < MESSAGES; n++) log.add('n', { n, padding: 'x'.repeat(100) }, 1_000 + n)
  expect(log.bufferedBytes).toBeLessThanOrEqual(BUFFER_BYTES)
  log.add(PARTICIPANT_LEFT, { participant_id: '1' }, 900_000)
  await freeSpace()
  log.write()
  const written = numbers()
  expect(written).toEqual(Array.from({ length: written.length }, (_, n) => n - 1))
  const count = MESSAGES - (written.length - 1)
  expect(count).toBeGreaterThan(0)
  expect(dropped).toEqual([{ count, from_ms: 1_000 + MESSAGES - count, to_ms: 999 + MESSAGES }])
  expect(names().slice(-2)).toEqual([PARTICIPANT_LEFT, LINES_DROPPED])
  log.add('n', { n: 1 })
  expect(names().at(-1)).toBe('n')
})

it('bounds attendance, too', async () => {
  const log = open()
  log.add('n', { n: 0 })
  await fillDisk()
  for (let n = 0; n < 1_000; n++) log.add(PARTICIPANT_LEFT, { participant_id: 'x'.repeat(10_000) })
  expect(log.bufferedBytes).toBeLessThanOrEqual(ESSENTIAL_BUFFER_BYTES)
  await freeSpace()
  log.write()
  expect(names().filter(name => name === PARTICIPANT_LEFT)).toHaveLength(1_000 - (dropped[0]?.count ?? 0))
})

it('reads lines of any length around a corrupt part', async () => {
  const line = (n: number) =>
    `${JSON.stringify({ at_ms: 1, name: 'n', body: { n, padding: '✓'.repeat(90_000) } })}\n`
  await writeFile(file, `${line(1)}{"at_ms":2,"na\n${'\0'.repeat(2_000_000)}\n${line(2)}`)
  expect(numbers()).toEqual([1, 2])
  open().add('n', { n: 3 })
  expect(numbers()).toEqual([1, 2, 3])
})

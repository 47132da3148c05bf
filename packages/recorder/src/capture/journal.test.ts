import { mkdtempSync, rmSync, statfsSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DiskSpace } from './disk-space.ts'
import { JournalReader } from './journal-reader.ts'
import { JournalWriter } from './journal-writer.ts'

let folder: string
let states: boolean[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-journal-'))
  states = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const diskWithReserve = (bytes: number) => {
  const disk = new DiskSpace(folder, bytes)
  disk.onChange(({ hasSpace }) => states.push(hasSpace))
  return disk
}
const packet = (atMs: number) => ({ is: 'packet' as const, atMs, rtp: Buffer.alloc(100, atMs) })

it('can be read while it is written', async () => {
  const file = join(folder, 'a.rtp')
  const writer = await JournalWriter.create(file, diskWithReserve(0))
  const reader = new JournalReader(file)
  expect(await reader.read()).toEqual([])
  writer.add(packet(1))
  await writer.flush()
  expect(await reader.read()).toEqual([packet(1)])
  writer.add(packet(2))
  writer.add(packet(3))
  await writer.close()
  expect(await reader.read()).toEqual([packet(2), packet(3)])
  expect(await reader.read()).toEqual([])
})

it('is read piece by piece, however much is there', async () => {
  const file = join(folder, 'a.rtp')
  const writer = await JournalWriter.create(file, diskWithReserve(0))
  for (let block = 0; block < 200; block++) {
    for (let n = 0; n < 100; n++) writer.add(packet(block * 100 + n))
    await writer.flush()
  }
  writer.add({ is: 'paused', atMs: 1, isPaused: true })
  for (let n = 0; n < 10_000; n++) writer.add(packet(n)) // a block that exceeds a piece
  await writer.close()
  const reader = new JournalReader(file)
  const lengths: number[] = []
  for (let records = await reader.read(); records.length > 0; records = await reader.read())
    lengths.push(records.length)
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(20_000 + 10_001)
  expect(lengths.at(-1)).toBe(10_001)
  expect(Math.max(...lengths.slice(0, -1))).toBeLessThan(3_000)
})

it('ends before an incomplete block', async () => {
  const file = join(folder, 'a.rtp')
  const writer = await JournalWriter.create(file, diskWithReserve(0))
  writer.add(packet(1))
  await writer.flush()
  writer.add(packet(2))
  await writer.close()
  truncateSync(file, 2 * 100 + 3)
  const reader = new JournalReader(file)
  expect(await reader.read()).toEqual([packet(1)])
  expect(await reader.read()).toEqual([])
})

it('counts packets while the disk is full and resumes afterwards', async () => {
  const file = join(folder, 'a.rtp')
  const disk = diskWithReserve(Number.MAX_SAFE_INTEGER)
  const writer = await JournalWriter.create(file, disk)
  await disk.check()
  writer.add(packet(1))
  writer.add({ is: 'paused', atMs: 2, isPaused: true })
  await writer.flush()
  const { bavail, bsize } = statfsSync(folder)
  disk.reserveBytes = bavail * bsize * 0.95
  await disk.check()
  expect(disk.hasSpace, 'with hardly more than the reserve').toBe(false)
  disk.reserveBytes = 0
  await disk.check()
  writer.add(packet(3))
  await writer.close()
  const records = await new JournalReader(file).read()
  expect(records).toMatchObject([
    { is: 'paused', atMs: 2 },
    { is: 'packet', atMs: 3 },
    { is: 'unwritten', packets: 1 },
  ])
  expect(states).toEqual([false, true])
})

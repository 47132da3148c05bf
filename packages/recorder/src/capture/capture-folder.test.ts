import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hasCaptured, TRACKS } from './capture-folder.ts'
import { DiskSpace } from './disk-space.ts'
import { JournalWriter } from './journal-writer.ts'

it('detects whether the folder of a job contains captured media', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-captured-'))
  expect(await hasCaptured(folder)).toBe(false)
  await writeFile(join(folder, 'recording.json'), '{}')
  await mkdir(join(folder, TRACKS))
  expect(await hasCaptured(folder)).toBe(false)
  const disk = new DiskSpace(folder, 0)
  const journal = await JournalWriter.create(join(folder, TRACKS, '0001-1.rtp'), disk)
  expect(await hasCaptured(folder)).toBe(false)
  journal.add({ is: 'packet', atMs: 1, rtp: Buffer.alloc(100) })
  await journal.close()
  expect(await hasCaptured(folder)).toBe(true)
  await rm(folder, { recursive: true })
})

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chunkFrames, chunkName, finishedChunks, nextChunk } from './chunks.ts'

const FRAMES = chunkFrames(2)

it('waits until the media of a chunk is final', () => {
  expect(nextChunk(0, FRAMES, FRAMES - 1, null)).toBeNull()
  expect(nextChunk(0, FRAMES, FRAMES, null)).toEqual({ from: 0, to: FRAMES })
})

it('returns the remainder once the end is known, then nothing', () => {
  expect(nextChunk(500, FRAMES, 600, 550)).toEqual({ from: 500, to: 550 })
  expect(nextChunk(550, FRAMES, 600, 550)).toBeNull()
  expect(nextChunk(500, FRAMES, 540, 550)).toBeNull()
})

it('leaves less for the end of a call where a second takes longer to compose', () => {
  expect(chunkFrames(9)).toBeLessThan(chunkFrames(4))
})

it('finds contiguous complete chunks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-chunks-'))
  for (const name of [
    chunkName({ from: 0, to: 250 }),
    chunkName({ from: 250, to: 300 }),
    'making-000000300-550',
    '000000800-900',
  ])
    mkdirSync(join(folder, name))
  expect(await finishedChunks(folder)).toEqual([
    { from: 0, to: 250 },
    { from: 250, to: 300 },
  ])
  rmSync(folder, { recursive: true })
})

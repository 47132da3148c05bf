import { isNoRoom } from '@lectern/worker-kit'
import { expect, it } from 'vitest'
import { Ffmpeg } from './ffmpeg.ts'

const ffmpeg = new Ffmpeg({ live: 0, after: 0 })
const run = { cwd: '/', isLive: false, signal: new AbortController().signal }
const second = ['-f', 'lavfi', '-i', 'color=red:s=64x64:d=1']

it('has failed when the disk was full, though it ends as if all were well', async () => {
  const failure = await ffmpeg.run([...second, '-f', 'matroska', '/dev/full'], run).catch(err => err)
  expect(String(failure)).toMatch(/ended with 0: .*No space left/s)
  expect(isNoRoom(failure)).toBe(true)
  await ffmpeg.run([...second, '-f', 'matroska', '/dev/null'], run)
})

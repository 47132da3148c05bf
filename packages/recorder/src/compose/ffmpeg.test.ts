import { isDiskFull } from '@lectern/worker-kit'
import { expect, it } from 'vitest'
import { Ffmpeg } from './ffmpeg.ts'

const ffmpeg = new Ffmpeg({ live: 0, after: 0 })
const run = { cwd: '/', isLive: false, signal: new AbortController().signal }
const second = ['-f', 'lavfi', '-i', 'color=red:s=64x64:d=1']

it('fails on a full disk even if ffmpeg exits with 0', async () => {
  const failure = await ffmpeg.run([...second, '-f', 'matroska', '/dev/full'], run).catch(err => err)
  expect(String(failure)).toMatch(/ended with 0: .*No space left/s)
  expect(isDiskFull(failure)).toBe(true)
  await ffmpeg.run([...second, '-f', 'matroska', '/dev/null'], run)
})

it('ends what computes for too long, measured by its media and not by the clock', async () => {
  const impatient = new Ffmpeg({ live: 0, after: 0 }, 1000)
  const endless = ['-f', 'lavfi', '-i', 'testsrc=s=1280x720', '-f', 'null', '-']
  await expect(impatient.run(endless, run)).rejects.toThrow('ended with')
  const waiting = ['-re', '-f', 'lavfi', '-i', 'color=red:s=64x64:d=2', '-f', 'null', '-']
  await impatient.run(waiting, run)
  const long = ['-f', 'lavfi', '-i', 'testsrc=s=1280x720', '-t', '60', '-f', 'null', '-']
  await impatient.run(long, { ...run, mediaMs: 60_000 })
})

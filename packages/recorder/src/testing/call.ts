import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Ffmpeg } from '../compose/ffmpeg.ts'
import type { RecorderOptions } from '../options.ts'
import { FakeJob } from './fake-job.ts'
import type { FakeTrack } from './fake-track.ts'

export const options = (): RecorderOptions => ({
  // On a busy machine the least of all would wait for ever.
  ffmpeg: new Ffmpeg({ live: 0, after: 0 }),
  log: pino({ level: 'silent' }),
  reserveBytes: 0,
  version: 'test',
})

/** For tests that compose. How long ffmpeg takes depends on what else runs: the limit only ends a test that hangs. */
export const COMPOSED_WITHIN_MS = 300_000

/**
 * A job with a folder of its own. Its recording begins later than any test ends: all of it is played before that, so
 * that nothing of it is composed before it is there.
 */
export async function callOf(
  params: Record<string, unknown> = {},
  startedAtMs = Date.now() + 2 * COMPOSED_WITHIN_MS,
) {
  const home = await mkdtemp(join(tmpdir(), 'lectern-recorder-'))
  const folder = join(home, 'job')
  const archive = join(home, 'archive')
  await mkdir(folder)
  await writeFile(join(folder, 'recording.json'), JSON.stringify({ startedAtMs, attempts: 0, end: null }))
  return {
    job: new FakeJob(folder, archive, params),
    archive,
    startedAtMs,
    /** The same job as a kill at this moment would leave it to the next process. */
    afterKill: async () => {
      const copy = await mkdtemp(join(home, 'killed-'))
      await cp(folder, copy, { recursive: true })
      return copy
    },
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

export async function delivered(...tracks: FakeTrack[]) {
  while (!tracks.every(track => track.hasListener)) await sleep(10)
}

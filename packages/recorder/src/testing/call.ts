import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Ffmpeg } from '../compose/ffmpeg.ts'
import type { RecorderOptions } from '../options.ts'
import { writeState } from '../state.ts'
import { FakeJob } from './fake-job.ts'
import type { FakeTrack } from './fake-track.ts'

export const options = (): RecorderOptions => ({
  ffmpeg: new Ffmpeg(),
  log: pino({ level: 'silent' }),
  reserveBytes: 0,
  version: 'test',
})

/** A job with a folder of its own, and a recording that began some time ago. */
export async function callOf(seconds: number, params: Record<string, unknown> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'lectern-recorder-'))
  const [folder, archive] = [join(home, 'job'), join(home, 'archive')]
  await mkdir(folder)
  const startedAtMs = Date.now() - seconds * 1000
  await writeState(folder, { startedAtMs, attempts: 0, end: null })
  return {
    ...{ job: new FakeJob(folder, archive, params), folder, archive, startedAtMs },
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

export async function heard(...tracks: FakeTrack[]) {
  while (!tracks.every(track => track.isHeard)) await sleep(10)
}

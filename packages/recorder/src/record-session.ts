import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HeldJob, isNoRoom, type JobEnd, moreRoom, type Work } from '@lectern/worker-kit'
import type { RecorderOptions } from './options.ts'
import { makeOutput, type Output, readOutput } from './output.ts'
import { profileNamed } from './profiles/index.ts'
import type { Profile } from './profiles/profile.ts'
import { Recording } from './recording.ts'

/** What cannot be made now (a full disk, no ffmpeg) may be made later; between attempts this is waited. */
const AGAIN_AFTER_MS = [2_000, 5_000, 15_000, 60_000, 300_000]

/** Then another attempt of the job may have more luck; but no room is no fault of this one. */
const TRIES = 12

/** Records one session, or goes on where an earlier attempt came to. */
export function recordSession(options: RecorderOptions): Work {
  return async held => {
    const profile = profileNamed(held.job.params.profile)
    if (!profile) return failed('there is no such profile')
    const recording = await Recording.open(held, options)
    if (!recording.state.end) await recording.capture(profile.composes)
    if (await recording.isEmpty()) return failed('the session was over before anything was captured')
    const output = (await readOutput(recording)) ?? (await makeSooner(recording, profile, options))
    return tell(held, recording, output)
  }
}

async function makeSooner(recording: Recording, profile: Profile, options: RecorderOptions): Promise<Output> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await makeOutput(recording, profile, options)
    } catch (err) {
      recording.throwIfLeft()
      recording.tell('failed', { error: String(err) })
      if (attempt + 1 >= TRIES && !isNoRoom(err)) throw err
      const afterMs = AGAIN_AFTER_MS[Math.min(attempt, AGAIN_AFTER_MS.length - 1)] as number
      if (isNoRoom(err)) await moreRoom(recording.folder, afterMs, recording.leaves)
      else await sleep(afterMs, null, { signal: recording.leaves })
    }
  }
}

async function tell(held: HeldJob, recording: Recording, output: Output): Promise<JobEnd> {
  const files = output.artifacts.map(({ path, contentType }) => ({
    file: join(recording.outputFolder, path),
    path,
    contentType,
  }))
  const stored = await held.upload(files)
  return {
    outcome: 'done',
    result: { ...output.result, output_dir: recording.folder, blob_ids: stored.map(({ blobId }) => blobId) },
  }
}

const failed = (reason: string): JobEnd => ({ outcome: 'failed', result: { reason } })

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HeldJob, isDiskFull, type JobEnd, type Work, waitForDiskSpace } from '@lectern/worker-kit'
import { captureSession } from './capture-session.ts'
import type { RecorderOptions } from './options.ts'
import { buildOutput, type Output, readOutput } from './output.ts'
import { profileNamed } from './profiles/index.ts'
import type { Profile } from './profiles/profile.ts'
import { Recording } from './recording.ts'

/** Back-off between attempts to build the output (full disk, missing ffmpeg). */
const RETRY_AFTER_MS = [2_000, 5_000, 15_000, 60_000, 300_000]

/** Afterwards the job attempt fails, except while the disk is full. */
const ATTEMPTS_MAX = 12

/** Records one session, resuming an earlier attempt. */
export function recordSession(options: RecorderOptions): Work {
  return async held => {
    const profile = profileNamed(held.job.params.profile)
    if (!profile) return failed('unknown profile')
    const recording = await Recording.open(held, options)
    if (!recording.state.end) await captureSession(held, recording, profile.composes)
    if (await recording.isEmpty()) return failed('nothing_captured')
    const output = (await readOutput(recording)) ?? (await createOutput(held, recording, profile, options))
    return uploadOutput(held, recording, output)
  }
}

async function createOutput(
  held: HeldJob,
  recording: Recording,
  profile: Profile,
  options: RecorderOptions,
): Promise<Output> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await buildOutput(held, recording, profile, options)
    } catch (err) {
      recording.throwIfHandedOver()
      recording.reportLog.add('failed', { error: String(err) })
      if (attempt + 1 >= ATTEMPTS_MAX && !isDiskFull(err)) throw err
      const afterMs = RETRY_AFTER_MS[Math.min(attempt, RETRY_AFTER_MS.length - 1)] as number
      if (isDiskFull(err)) await waitForDiskSpace(recording.folder, afterMs, recording.handover)
      else await sleep(afterMs, null, { signal: recording.handover })
    }
  }
}

async function uploadOutput(held: HeldJob, recording: Recording, output: Output): Promise<JobEnd> {
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

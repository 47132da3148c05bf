import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecorderOptions } from './options.ts'
import type { Artifact, Profile } from './profiles/profile.ts'
import type { Recording } from './recording.ts'
import { buildReport } from './report/report.ts'
import { ffmpegVersion } from './report/versions.ts'
import { readLog } from './session/log-file.ts'

/** The files of the record, whole and never changed again, and what the server is told of them. */
export interface Output {
  artifacts: Artifact[]
  result: Record<string, unknown>
}

const LIST = 'output.json'

/** Null: it is not made yet. */
export async function readOutput(recording: Recording): Promise<Output | null> {
  try {
    return JSON.parse(await readFile(join(recording.outputFolder, LIST), 'utf8')) as Output
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
}

/** Makes the files of the profile and the reports. The folder has its name when all of it is there. */
export async function makeOutput(
  recording: Recording,
  profile: Profile,
  options: RecorderOptions,
): Promise<Output> {
  const making = `${recording.outputFolder}.new`
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { recursive: true })
  const { artifacts, endedAtMs, details } = await profile.make(recording, making)
  recording.tell('made', { profile: profile.name, files: artifacts.length, ...details })
  const journal = readLog(recording.journal.file)
  const report = buildReport({
    job: recording.job,
    profile: profile.name,
    versions: { recorder: options.version, node: process.version, ffmpeg: await ffmpegVersion() },
    state: recording.state,
    endedAtMs,
    tracks: recording.tracks,
    people: recording.people(),
    journal,
    details,
  })
  await writeFile(join(making, 'report.json'), `${JSON.stringify(report, null, 2)}\n`)
  await copyFile(recording.journal.file, join(making, 'report.jsonl'))
  await recording.copyEvents(join(making, 'events.jsonl'))
  const output: Output = {
    artifacts: [
      ...artifacts.map(({ path, contentType }) => ({ path, contentType })),
      { path: 'events.jsonl', contentType: 'application/jsonl' },
      { path: 'report.json', contentType: 'application/json' },
      { path: 'report.jsonl', contentType: 'application/jsonl' },
    ],
    result: {
      status: report.status,
      profile: profile.name,
      started_at_ms: report.started_at_ms,
      ended_at_ms: report.ended_at_ms,
      duration_ms: report.duration_ms,
      artifact: summary(report),
    },
  }
  await writeFile(join(making, LIST), JSON.stringify(output), { flush: true })
  await rename(making, recording.outputFolder)
  return output
}

/** What the archive keeps beside the files; the report has the rest. */
function summary({ format, versions, people, tracks, troubles, attempts }: ReturnType<typeof buildReport>) {
  return {
    report_format: format,
    versions,
    people: people.length,
    tracks: tracks.map(({ device_id, source, codec, lost, gap_count }) => ({
      ...{ device_id, source, codec, lost, gap_count },
    })),
    attempts: attempts.length,
    troubles: troubles.length,
  }
}

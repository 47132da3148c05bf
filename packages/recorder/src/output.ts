import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HeldJob } from '@lectern/worker-kit'
import type { RecorderOptions } from './options.ts'
import type { Artifact, Profile } from './profiles/profile.ts'
import type { Recording } from './recording.ts'
import { chatFilesOf } from './report/chat-files.ts'
import { writeLessonFiles } from './report/lesson-files.ts'
import { userIdsOf } from './report/people.ts'
import { buildReport } from './report/report.ts'
import { ffmpegVersion } from './report/versions.ts'
import { linesOf } from './session/log-reader.ts'

/** The final files of a recording and the result sent to the server. */
export interface Output {
  artifacts: Artifact[]
  result: Record<string, unknown>
}

const MANIFEST = 'output.json'

/** Null if it was not built yet. */
export async function readOutput(recording: Recording): Promise<Output | null> {
  try {
    return JSON.parse(await readFile(join(recording.outputFolder, MANIFEST), 'utf8')) as Output
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
}

/** Builds the files of the profile and the reports. The folder is renamed to its final name when complete. */
export async function buildOutput(
  held: Pick<HeldJob, 'externalIds'>,
  recording: Recording,
  profile: Profile,
  options: RecorderOptions,
): Promise<Output> {
  const partial = `${recording.outputFolder}.new`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  const made = await profile.build(recording, partial)
  const { artifacts, endedAtMs, details } = made
  const externalIds = await held.externalIds(userIdsOf(recording.events.attendance))
  const lesson = await writeLessonFiles(recording, made, partial, externalIds)
  recording.reportLog.add('made', { profile: profile.name, files: artifacts.length, ...details })
  const events = join(partial, 'events.jsonl')
  await recording.events.copyTo(events)
  const report = buildReport({
    job: recording.job,
    profile: profile.name,
    versions: { recorder: options.version, node: process.version, ffmpeg: await ffmpegVersion() },
    state: recording.state,
    endedAtMs,
    tracks: recording.tracks,
    people: recording.events.attendance,
    externalIds,
    log: recording.reportLog.summary(),
    files: chatFilesOf(linesOf(events)),
    details: { attendance: lesson.attendance, chapters: lesson.chapters, ...details },
  })
  await writeFile(join(partial, 'report.json'), `${JSON.stringify(report, null, 2)}\n`)
  await recording.reportLog.copyTo(join(partial, 'report.jsonl'))
  const output: Output = {
    artifacts: [
      ...artifacts.map(({ path, contentType }) => ({ path, contentType })),
      ...lesson.artifacts,
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
      artifact: summaryOf(report),
    },
  }
  await writeFile(join(partial, MANIFEST), JSON.stringify(output), { flush: true })
  await rename(partial, recording.outputFolder)
  return output
}

/** The result has to fit into a frame of the control protocol, however many cameras were opened in a day. */
const TRACKS_MAX = 500

type Summarized = Pick<
  ReturnType<typeof buildReport>,
  'format' | 'versions' | 'people' | 'tracks' | 'troubles' | 'attempts'
>

/** The summary kept in the archive, of a bounded size; details are in the report. */
export function summaryOf({ format, versions, people, tracks, troubles, attempts }: Summarized) {
  return {
    report_format: format,
    versions,
    people: people.length,
    track_count: tracks.length,
    tracks: tracks.slice(0, TRACKS_MAX).map(({ device_id, source, codec, lost, gap_count }) => ({
      ...{ device_id, source, codec, lost, gap_count },
    })),
    attempts: attempts.length,
    troubles: troubles.length,
  }
}

import { pollUntil } from '@lectern/common'
import type { PartnerClient } from '@lectern/partner'
import type { EndedLesson } from './lesson.ts'
import type { Progress } from './progress.ts'
import type { WebhookReceiver } from './webhooks.ts'

const POLL_MS = 500
/** A recording begins with the first participant, and may miss this much at its ends. */
const UNRECORDED_MS = 15_000

interface Report {
  troubles: object[]
}

interface Run {
  receiver: WebhookReceiver
  partner: PartnerClient
  progress: Progress
  /** The records MUST be complete by then: a busy machine composes late. */
  untilMs: number
}

/** Waits for the recording of a lesson, and its webhooks; reports what is wrong with them. */
export async function checkRecords(
  { plan: { name, isTranscribed }, tag, durationMs }: EndedLesson,
  { receiver, partner, progress, untilMs }: Run,
): Promise<void> {
  const recorded = () => receiver.of(tag, 'recording.ready')
  const transcribed = () => receiver.of(tag, 'transcription.ready')
  const isComplete = () => recorded().length > 0 && (!isTranscribed || transcribed().length > 0)
  await pollUntil(isComplete, { intervalMs: POLL_MS, timeoutMs: untilMs - Date.now() })
  const [ready] = recorded()
  if (!ready) return progress.mistake(`${name} has no recording`)
  if (isTranscribed && transcribed().length === 0) progress.mistake(`${name} has no transcript`)
  const { recording } = ready.data
  if (recording.duration_ms < durationMs - UNRECORDED_MS)
    progress.mistake(`${name}: ${recording.duration_ms} of ${durationMs} ms are recorded`)
  const report = recording.files.find(({ path }) => path === 'report.json')
  const { troubles } = (await (await partner.downloadBlob(String(report?.url))).json()) as Report
  if (troubles.length > 0) progress.mistake(`${name}: ${JSON.stringify(troubles[0])}`)
}

/** At the end of the run: no lesson has two recordings or transcripts. */
export function checkDuplicates(lessons: EndedLesson[], receiver: WebhookReceiver, progress: Progress): void {
  for (const { plan, tag } of lessons)
    for (const type of ['recording.ready', 'transcription.ready'] as const) {
      const count = receiver.of(tag, type).length
      if (count > 1) progress.mistake(`${plan.name} has ${count} events ${type}`)
    }
}

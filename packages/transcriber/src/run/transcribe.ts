import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HeldJob, type JobEnd, nowMs } from '@lectern/worker-kit'
import type { Engine } from '../engines/port.ts'
import type { RecognitionScheduler } from '../recognition/recognition-scheduler.ts'
import type { EndReason, RunDocument } from './transcript.ts'
import { TranscriptionRun } from './transcription-run.ts'

const failed = (reason: string): JobEnd => ({ outcome: 'failed', result: { reason } })

/** Performs one transcription run and uploads its document, which includes the last phrase. */
export async function transcribe(
  held: HeldJob,
  engine: Engine,
  recognition: RecognitionScheduler,
): Promise<JobEnd> {
  const { details, params } = held.job
  // Speech during the outage is lost, and incomplete transcripts are not delivered (rule X8).
  if (details.started_at_ms !== undefined) return failed('worker_lost')
  if (!matchesLanguage(engine.language, params.language)) return failed('language_unavailable')

  const startedAtMs = Math.floor(nowMs())
  const run = new TranscriptionRun(held, recognition, startedAtMs)
  held.progress({ active: true, details: { started_at_ms: startedAtMs } })
  await stopRequested(held)
  held.progress({ active: false })
  const { transcript, dropped } = await run.end()
  if (held.stop.reason === 'lost') return failed('worker_lost')
  const end = { reason: await reasonOf(held), atMs: Math.floor(nowMs()) }
  return {
    outcome: 'done',
    result: { blob_id: await uploadDocument(held, transcript.document(end, engine, dropped)) },
  }
}

/** `en` matches `en-US` and the other way round. */
function matchesLanguage(language: string, wanted: unknown): boolean {
  if (typeof wanted !== 'string') return true
  const [a, b] = [`${language}-`.toLowerCase(), `${wanted}-`.toLowerCase()]
  return a.startsWith(b) || b.startsWith(a)
}

async function stopRequested({ stop, drain }: HeldJob): Promise<void> {
  const either = AbortSignal.any([stop, drain])
  if (!either.aborted) await once(either, 'abort')
}

async function reasonOf(held: HeldJob): Promise<EndReason> {
  if (!held.stop.aborted) return 'drained'
  // The end of the session arrives on another connection than the stop request.
  for (let waitedMs = 0; waitedMs < SESSION_END_WAIT_MS && !isOver(held); waitedMs += 50) await sleep(50)
  return isOver(held) ? 'session_ended' : 'stopped'
}

const SESSION_END_WAIT_MS = 500

function isOver(held: HeldJob): boolean {
  const session = held.session()
  return session === null || session.ended !== null
}

async function uploadDocument(held: HeldJob, document: RunDocument): Promise<string> {
  const path = 'transcript.json'
  const file = join(held.folder, path)
  await writeFile(file, JSON.stringify(document))
  const [stored] = await held.upload([{ file, path, contentType: 'application/json' }], {
    alsoWhenDraining: true,
  })
  if (!stored) throw new Error('the transcript was not stored')
  return stored.blobId
}

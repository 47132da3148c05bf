import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HeldJob, JobEnd } from '@lectern/worker-kit'
import type { Engine } from '../engines/port.ts'
import type { Recognition } from '../recognition/recognition.ts'
import { Run } from './run.ts'
import type { Document, EndOfRun } from './transcript.ts'

const failed = (reason: string): JobEnd => ({ outcome: 'failed', result: { reason } })

/** One run: from its start to its document, which holds also the last phrase. */
export async function transcribe(held: HeldJob, engine: Engine, recognition: Recognition): Promise<JobEnd> {
  const { details, params } = held.job
  // What was said while nobody listened is not known, and a text with a hole in it is none (contract §6.2).
  if (details.started_at_ms !== undefined) return failed('worker_lost')
  if (!speaks(engine.language, params.language)) return failed('language_unavailable')

  const startedAtMs = Date.now()
  const run = new Run(held, recognition, startedAtMs)
  held.progress({ active: true, details: { started_at_ms: startedAtMs } })
  await ending(held)
  held.progress({ active: false })
  const { transcript, shortfall } = await run.end()
  if (held.stop.reason === 'lost') return failed('worker_lost')
  const end = { reason: await reasonOf(held), atMs: Date.now() }
  return {
    outcome: 'done',
    result: { blob_id: await keep(held, transcript.document(end, engine, shortfall)) },
  }
}

/** `en` is spoken by who speaks `en-US`, and the other way round. */
function speaks(language: string, wanted: unknown): boolean {
  if (typeof wanted !== 'string') return true
  const [a, b] = [`${language}-`.toLowerCase(), `${wanted}-`.toLowerCase()]
  return a.startsWith(b) || b.startsWith(a)
}

async function ending({ stop, drain }: HeldJob): Promise<void> {
  const either = AbortSignal.any([stop, drain])
  if (!either.aborted) await once(either, 'abort')
}

async function reasonOf(held: HeldJob): Promise<EndOfRun> {
  if (!held.stop.aborted) return 'drained'
  // The end of the session is told on another connection than the wish to stop.
  for (let waitedMs = 0; waitedMs < END_KNOWN_WITHIN_MS && !isOver(held); waitedMs += 50) await sleep(50)
  return isOver(held) ? 'session_ended' : 'stopped'
}

const END_KNOWN_WITHIN_MS = 500

function isOver(held: HeldJob): boolean {
  const session = held.session()
  return session === null || session.ended !== null
}

async function keep(held: HeldJob, document: Document): Promise<string> {
  const path = 'transcript.json'
  const file = join(held.folder, path)
  await writeFile(file, JSON.stringify(document))
  const [stored] = await held.upload([{ file, path, contentType: 'application/json' }], {
    alsoWhenDraining: true,
  })
  if (!stored) throw new Error('the transcript was not stored')
  return stored.blobId
}

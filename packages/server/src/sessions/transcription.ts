import { type CommandBody, PHRASE_TAIL_MAX, type Phrase } from '@lectern/protocol/control'
import type { Here } from './here.ts'
import { canTranscribe } from './policy.ts'
import type { ConferenceParts, TranscriptionWish } from './ports.ts'
import { demand } from './refusals.ts'
import { emit, type Session } from './session.ts'

/** By moderators, in conferences that users made: in those of partners it is an administrator's to start. */
export async function startTranscription(
  here: Here,
  wish: CommandBody<'transcription.start'>,
): Promise<void> {
  await demandTranscription(here)
  await orderTranscription(here.parts, here.session, wish)
}

export async function stopTranscription(here: Here): Promise<void> {
  await demandTranscription(here)
  await ceaseTranscription(here.parts, here.session)
}

async function demandTranscription({ parts, session, self }: Here): Promise<void> {
  const conference = await parts.directory.find(session.tag)
  demand(conference?.kind === 'ordinary', 'administrator_only')
  demand(canTranscribe(self), 'not_moderator')
}

/** For those who may. */
export async function orderTranscription(
  { jobs }: ConferenceParts,
  { id, tag }: Session,
  wish: TranscriptionWish,
): Promise<void> {
  demand(jobs.hasTranscriber(), 'transcription_unavailable')
  await jobs.startTranscription({ sessionId: id, tag }, wish)
}

export const ceaseTranscription = ({ jobs }: ConferenceParts, { id }: Session): Promise<void> =>
  jobs.stopTranscription(id)

export function noteTranscription(parts: ConferenceParts, session: Session, active: boolean): void {
  if (session.isOver || session.isTranscribed === active) return
  session.isTranscribed = active
  emit(parts, session, 'transcription.changed', { active })
}

/** A phrase has its place once, however often its transcriber tells it. */
export function hear(parts: ConferenceParts, session: Session, phrases: Phrase[]): void {
  if (session.isOver) return
  for (const phrase of phrases) {
    if (session.phrases.some(each => each.phrase_id === phrase.phrase_id)) continue
    session.phrases.push(phrase)
    if (session.phrases.length > PHRASE_TAIL_MAX) session.phrases.shift()
    emit(parts, session, 'transcription.phrase', { phrase })
  }
}

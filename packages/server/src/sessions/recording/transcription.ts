import { type CommandBody, PHRASE_TAIL_MAX, type Phrase } from '@lectern/protocol/control'
import type { CommandContext } from '../command.ts'
import { isClosed } from '../lifecycle/lifecycle.ts'
import { canTranscribe, hasFeature } from '../policy.ts'
import type { SessionParts, TranscriptionOptions } from '../ports.ts'
import { assertOrRefuse } from '../refusals.ts'
import { emit, type Session, toOwnSession } from '../session.ts'

/** Starts a transcription, by moderators, in ordinary conferences: in those of partners only administrators start one. */
export async function startTranscription(
  context: CommandContext,
  options: CommandBody<'transcription.start'>,
): Promise<void> {
  await assertCanTranscribe(context)
  await requestTranscription(context.parts, context.session, options)
}

export async function stopTranscription(context: CommandContext): Promise<void> {
  await assertCanTranscribe(context)
  await cancelTranscription(context.parts, context.session)
}

async function assertCanTranscribe({ parts, session, self }: CommandContext): Promise<void> {
  const conference = await parts.directory.find(session.tag)
  assertOrRefuse(conference?.kind === 'ordinary', 'administrator_only')
  assertOrRefuse(canTranscribe(self), 'not_moderator')
}

/** The caller has checked the permission. */
export async function requestTranscription(
  { jobs }: SessionParts,
  session: Session,
  options: TranscriptionOptions,
): Promise<void> {
  assertOrRefuse(jobs.hasTranscriber(), 'transcription_unavailable')
  const { language } = options
  assertOrRefuse(language === undefined || jobs.canTranscribe(language), 'language_unavailable')
  await jobs.startTranscription(toOwnSession(session), options)
}

export const cancelTranscription = ({ jobs }: SessionParts, { id }: Session): Promise<void> =>
  jobs.stopTranscription(id)

export function setTranscription(parts: SessionParts, session: Session, active: boolean): void {
  if (isClosed(session.lifecycle) || session.isTranscribed === active) return
  session.isTranscribed = active
  emit(parts, session, 'transcription.changed', { active })
}

/** A phrase that was added before is ignored, for transcribers repeat theirs. */
export function addPhrases(parts: SessionParts, session: Session, phrases: Phrase[]): void {
  if (isClosed(session.lifecycle) || !hasFeature(session, 'captions')) return
  for (const phrase of phrases) {
    if (session.phrases.some(each => each.phrase_id === phrase.phrase_id)) continue
    session.phrases.push(phrase)
    if (session.phrases.length > PHRASE_TAIL_MAX) session.phrases.shift()
    emit(parts, session, 'transcription.phrase', { phrase })
  }
}

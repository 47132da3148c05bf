import type { Caller } from '../../service-accounts.ts'

/** Owners do not enter rooms as somebody else: what opens a room is for the backend (rule OWNED-4). */
export const withoutLink = <Thing extends { join_url: string }>({ owner }: Caller, thing: Thing): Thing =>
  owner ? { ...thing, join_url: '' } : thing

/** Nor do they read what people said: the text of a transcript is for the backend (rule OWNED-4). */
export function withoutSpeech({ owner }: Caller, event: Record<string, unknown>): Record<string, unknown> {
  const { transcription } = (event.data ?? {}) as { transcription?: object }
  if (!owner || !transcription) return event
  return { ...event, data: { transcription: { ...transcription, text: '', segments: [] } } }
}

import type { TranscriptState } from '../../call/transcript.ts'

export interface Line {
  key: string
  name: string
  text: string
}

/** Each has a line of its own, or one has both. */
const MAX_LINES = 2

/** Partial phrases. `nameOf` returns the current name of a participant. */
export const partialLines = (
  { partials }: Pick<TranscriptState, 'partials'>,
  nameOf: (participantId: string) => string,
): Line[] => [...partials].map(([id, text]) => ({ key: `partial ${id}`, name: nameOf(id), text }))

/** Captions: the latest phrases, then partial ones. */
export function captionsOf(
  state: Pick<TranscriptState, 'recent' | 'partials'>,
  nameOf: (participantId: string) => string,
): Line[] {
  const recent = state.recent
    .slice(-MAX_LINES)
    .map(({ phrase_id, display_name, text }) => ({ key: phrase_id, name: display_name, text }))
  return [...recent, ...partialLines(state, nameOf)].slice(-MAX_LINES)
}

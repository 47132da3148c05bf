import type { SpeakersState } from '../../../call/speakers.ts'

/** Well above background noise. */
const LOUD = 0.35

/** The server's active speaker stays active in pauses; others who are loud at the same time speak as well. */
export const isSpeaking = ({ active, levels }: SpeakersState, participantId: string): boolean =>
  active === participantId || (levels[participantId] ?? 0) > LOUD

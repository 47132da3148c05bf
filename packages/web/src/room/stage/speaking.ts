import type { SpeakersState } from '../../call/speakers.ts'

/** Well above what fills the pauses of somebody else. */
const LOUD = 0.35

/** The server knows who has the word, through pauses and all; whoever is loud at the same time speaks as well. */
export const isSpeaking = ({ active, levels }: SpeakersState, participantId: string): boolean =>
  active === participantId || (levels[participantId] ?? 0) > LOUD

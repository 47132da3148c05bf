import type { ParticipantView } from '@lectern/protocol/control/client'

/** The position of a raised hand among all, from 1. */
export interface Hand {
  number: number
  of: number
}

/** The raised hands by participant, the first one first. */
export function handsOf(participants: readonly ParticipantView[]): ReadonlyMap<string, Hand> {
  const raised = participants
    .filter(each => each.hand_raised_at_ms !== null)
    .sort((one, other) => (one.hand_raised_at_ms ?? 0) - (other.hand_raised_at_ms ?? 0))
  return new Map(
    raised.map(({ participant_id }, index) => [participant_id, { number: index + 1, of: raised.length }]),
  )
}

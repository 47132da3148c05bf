import type { JoinedState } from '../joined-state.ts'

/** Looks up the name of a participant; empty for participants who have left. */
export const participantNameIn =
  ({ session }: JoinedState) =>
  (participantId: string): string =>
    session.participants.find(each => each.participant_id === participantId)?.display_name ?? ''

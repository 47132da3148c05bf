import type { JoinedState } from '../joined-state.ts'

/** The name of a participant; empty for whoever is gone. */
export const participantNameIn =
  ({ session }: JoinedState) =>
  (participantId: string): string =>
    session.participants.find(each => each.participant_id === participantId)?.display_name ?? ''

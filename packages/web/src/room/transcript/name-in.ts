import type { Inside } from '../inside.ts'

/** The name of a participant; empty for whoever is gone. */
export const nameIn =
  ({ session }: Inside) =>
  (participantId: string): string =>
    session.participants.find(each => each.participant_id === participantId)?.display_name ?? ''

import type { ControlEvent, EventBody, ParticipantView } from '@lectern/protocol/control/client'

type Muted = EventBody<'participant.muted'>

/**
 * Whether this event mutes this participant. `participant_id: null` means everybody except the devices of the
 * sender.
 */
export function isMuteForMe(
  { participant_id, by_participant_id }: Muted,
  me: ParticipantView,
  participants: readonly ParticipantView[],
): boolean {
  if (participant_id !== null) return participant_id === me.participant_id
  const by = participants.find(each => each.participant_id === by_participant_id)
  return by?.user_id !== me.user_id
}

export const readMuteEvent = ({ name, body }: ControlEvent): Muted | null =>
  name === 'participant.muted' ? (body as Muted) : null

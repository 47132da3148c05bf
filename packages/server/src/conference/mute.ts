import type { CommandBody } from '@lectern/protocol/control'
import type { Here } from './here.ts'
import { canMute, canMuteAll } from './policy.ts'
import { demand } from './refusals.ts'
import { emit, type Participant } from './session.ts'

/** Stops what somebody sends, or everybody but the sender's own devices. They may start again. */
export function mute(here: Here, { participant_id, source }: CommandBody<'participant.mute'>): void {
  const { parts, session, self } = here
  for (const target of targets(here, participant_id)) {
    emit(parts, session, 'participant.muted', {
      participant_id: target.id,
      source,
      by_participant_id: self.id,
    })
    parts.media.mute(session.id, target.id, source)
  }
}

function targets({ session, self }: Here, participantId: string | undefined): Participant[] {
  if (participantId === undefined) {
    demand(canMuteAll(self), 'not_moderator')
    return [...session.participants.values()].filter(({ userId }) => userId !== self.userId)
  }
  const target = session.participants.get(participantId)
  demand(target, 'no_such_participant')
  demand(canMute(self, target), 'not_moderator')
  return [target]
}

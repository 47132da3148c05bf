import type { CommandBody } from '@lectern/protocol/control'
import type { Here } from './here.ts'
import { canMute, canMuteAll } from './policy.ts'
import { demand } from './refusals.ts'
import { emit, type Participant } from './session.ts'

/** Stops what somebody sends, or everybody but the sender's own devices. They may start again. */
export function mute(here: Here, { participant_id, source }: CommandBody<'participant.mute'>): void {
  const { parts, session, self } = here
  const targets = participant_id === undefined ? others(here) : [oneOf(here, participant_id)]
  emit(parts, session, 'participant.muted', {
    participant_id: participant_id ?? null,
    source,
    by_participant_id: self.id,
  })
  for (const target of targets) parts.media.mute(session.id, target.id, source)
}

function others({ session, self }: Here): Participant[] {
  demand(canMuteAll(self), 'not_moderator')
  return [...session.participants.values()].filter(({ userId }) => userId !== self.userId)
}

function oneOf({ session, self }: Here, participantId: string): Participant {
  const target = session.participants.get(participantId)
  demand(target, 'no_such_participant')
  demand(canMute(self, target), 'not_moderator')
  return target
}

import { cleanDisplayName } from '@lectern/protocol'
import type { CommandBody } from '@lectern/protocol/control'
import type { CommandContext } from '../command.ts'
import { canModerate, canUpdate } from '../policy.ts'
import { presentParticipant } from '../present.ts'
import { assertOrRefuse } from '../refusals.ts'
import { emit } from '../session.ts'
import { lowerHands, setHand } from './hands.ts'

/** Changes the name, or raises or lowers the hand. */
export async function update(
  { parts, session, self }: CommandContext,
  body: CommandBody<'participant.update'>,
): Promise<void> {
  const target = session.participants.get(body.participant_id ?? self.id)
  assertOrRefuse(target, 'no_such_participant')
  assertOrRefuse(canUpdate(self, target, body), 'not_yours')
  const { display_name } = body
  const displayName = display_name === undefined ? target.displayName : cleanDisplayName(display_name)
  assertOrRefuse(displayName !== '' || display_name === undefined, 'blank')

  const isRaised = target.handRaisedAtMs !== null
  const wantsRaised = body.hand_raised ?? isRaised
  if (displayName === target.displayName && wantsRaised === isRaised) return
  if (wantsRaised !== isRaised) await setHand(parts, session, target, wantsRaised ? parts.clock() : null)
  if (displayName !== target.displayName)
    parts.participants
      .rename(session.lease, target.id, displayName)
      .catch(parts.onFailure('a name was not stored: another server would have the former one'))
  target.displayName = displayName
  emit(parts, session, 'participant.changed', { participant: presentParticipant(target) })
}

/** Lowers the hands of everybody, also of people who have not come back since the server started. */
export async function lowerAllHands({ parts, session, self }: CommandContext): Promise<void> {
  assertOrRefuse(canModerate(self), 'not_moderator')
  for (const participant of await lowerHands(parts, session))
    emit(parts, session, 'participant.changed', { participant: presentParticipant(participant) })
}

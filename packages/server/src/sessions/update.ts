import type { CommandBody } from '@lectern/protocol/control'
import { setHand } from './hands.ts'
import type { Here } from './here.ts'
import { canUpdate } from './policy.ts'
import { presentParticipant } from './present.ts'
import { demand } from './refusals.ts'
import { emit } from './session.ts'

/** A new name, a hand up or down. */
export async function update(
  { parts, session, self }: Here,
  body: CommandBody<'participant.update'>,
): Promise<void> {
  const target = session.participants.get(body.participant_id ?? self.id)
  demand(target, 'no_such_participant')
  demand(canUpdate(self, target, body), 'not_yours')
  const displayName = body.display_name?.trim() ?? target.displayName
  demand(displayName !== '' || body.display_name === undefined, 'blank')

  const isRaised = target.handRaisedAtMs !== null
  const wantsRaised = body.hand_raised ?? isRaised
  if (displayName === target.displayName && wantsRaised === isRaised) return
  if (wantsRaised !== isRaised) await setHand(parts, session, target, wantsRaised ? parts.clock() : null)
  target.displayName = displayName
  emit(parts, session, 'participant.changed', { participant: presentParticipant(target) })
}

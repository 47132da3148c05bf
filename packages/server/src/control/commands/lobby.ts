import { Refusal } from '@lectern/protocol'
import type { ControlParts } from '../ports.ts'
import { personOf } from './conference.ts'
import type { Command, Outcome, Sender } from './table.ts'

/** Waiting to be admitted (rules A1 to A14). Moderators admit and deny by commands of the session. */

export async function enterLobby(
  { conferences, lobbyLimiter: lobbyRates }: ControlParts,
  actor: Sender,
  { target, body, expectedVersion, startBy }: Command<'lobby.enter'>,
): Promise<Outcome> {
  const tag = target.id
  const person = personOf(actor, tag, body.display_name)
  const retryAfterMs = lobbyRates.take(person.userId, actor.address)
  if (retryAfterMs > 0) throw new Refusal('too_many_admission_requests', undefined, { retryAfterMs })
  const reason = await conferences.enterLobby(tag, person, { expectedVersion, startBy })
  // Nobody is left waiting on a connection that ended meanwhile.
  if (actor.isOver) await conferences.leaveAllLobbies(actor.id)
  return { data: reason === null ? { status: 'admitted' } : { status: 'waiting', reason } }
}

export async function leaveLobby(
  { conferences }: ControlParts,
  actor: Sender,
  { target }: Command<'lobby.leave'>,
): Promise<Outcome> {
  await conferences.leaveLobby(target.id, actor.id)
  return {}
}

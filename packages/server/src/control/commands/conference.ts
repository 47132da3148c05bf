import { Refusal } from '@lectern/protocol'
import type { JsonObject, Target } from '@lectern/protocol/control'
import type { SessionCommand } from '../../sessions/commands.ts'
import type { ParticipantRef } from '../../sessions/membership.ts'
import type { ConnectedUser } from '../../sessions/ports.ts'
import { grantFor } from '../../sessions/roles.ts'
import { MEMBERSHIPS_PER_CONNECTION_MAX, SNAPSHOT_ANSWER_BYTES } from '../limits/constants.ts'
import type { ControlParts } from '../ports.ts'
import type { SessionMembership } from '../v2/connection.ts'
import { snapshotLength } from '../v2/snapshot.ts'
import type { Command, Outcome, Sender } from './table.ts'

/** Commands of conferences: finds the seat that a command means, and hands it to the core. */

export async function join(
  { conferences, streams, answers, notifications }: ControlParts,
  actor: Sender,
  { target, body, expectedVersion, startBy }: Command<'conference.join'>,
): Promise<Outcome> {
  const tag = target.id
  if (membershipIn(actor, tag)?.kind === 'observer') throw alreadyInSession()
  if (actor.memberships.size >= MEMBERSHIPS_PER_CONNECTION_MAX && !membershipIn(actor, tag))
    throw new Refusal('too_many_conferences')
  const inDebt = notifications.take(actor.login.user, 0)
  if (inDebt) throw inDebt
  const person = personOf(actor, tag, body.display_name)
  const joined = await conferences.join(tag, person, { expectedVersion, startBy })
  const { participant, role, version } = joined
  if (!conferences.isInside(participant)) throw new Refusal('session_just_ended')
  const stream = streams.session(participant.sessionId)
  const { id, epoch, seq } = stream
  if (!actor.enter({ tag, participant, kind: 'participant' }, stream)) await conferences.leave(participant)
  else if (!actor.isConnected) await conferences.disconnect(participant)
  notifications.charge(actor.login.user, stream.subscribers.size)
  answers.charge(actor.login.user, snapshotLength(stream) - SNAPSHOT_ANSWER_BYTES)
  return {
    data: {
      conference_session_id: String(participant.sessionId),
      participant_id: participant.participantId,
      role,
      stream: { stream_id: id, stream_epoch: epoch, seq: String(seq) },
    },
    ...versioned(participant, version),
  }
}

export async function leave(
  { conferences }: ControlParts,
  actor: Sender,
  { target, expectedVersion, startBy }: Command<'conference.leave'>,
): Promise<Outcome> {
  const seat = membershipIn(actor, target.id)
  if (seat) await conferences.leave(seat.participant, { expectedVersion, startBy })
  return {}
}

/** Everything that somebody who is inside may ask for. */
export async function runInSession(
  { conferences }: ControlParts,
  actor: Sender,
  { id, name, target, body, expectedVersion, startBy }: Command<SessionCommand>,
): Promise<Outcome> {
  const seat = requireMembership(actor, target)
  const { data, version } = await conferences.execute(seat.participant, {
    id,
    name,
    body,
    expectedVersion,
    startBy,
  })
  return { ...(data !== undefined && { data: data as JsonObject }), ...versioned(seat.participant, version) }
}

/** As any other, but what is stored already is answered also to who is not inside any more (rule K5). */
export async function sendChatMessage(
  parts: ControlParts,
  actor: Sender,
  order: Command<'chat.send'>,
): Promise<Outcome> {
  try {
    return await runInSession(parts, actor, order)
  } catch (error) {
    // The conference has looked already (rule T12), and a flood of these is to cost little.
    if (error instanceof Refusal && error.controlCode === 'rate_limited') throw error
    const message = { sessionId: Number(order.target.id), userId: actor.login.user.id, commandId: order.id }
    const data = await parts.conferences.findAnswer(message, order.body)
    if (data) return { data }
    throw error
  }
}

/** Whom the login of the connection makes of it in this conference. */
export function personOf({ id, login }: Sender, tag: string, displayName: string | undefined): ConnectedUser {
  const { user, admission } = login
  const link = grantFor(admission, tag)
  return {
    userId: user.id,
    displayName: displayName?.trim() || link?.displayName || user.displayName,
    linkRole: link?.role ?? null,
    connectionId: id,
  }
}

/** The seat that a target means. */
export function requireMembership(actor: Sender, target: Target): SessionMembership {
  const seat = findMembership(actor, target)
  if (!seat) throw new Refusal('not_inside')
  return seat
}

/** A connection is inside a session or observes it, not both. */
export const alreadyInSession = () => new Refusal('other_place')

function findMembership(actor: Sender, { kind, id }: Target): SessionMembership | undefined {
  if (kind === 'conference') return membershipIn(actor, id)
  return [...actor.memberships.values()].find(({ participant: place }) => String(place.sessionId) === id)
}

const membershipIn = (actor: Sender, tag: string) =>
  [...actor.memberships.values()].find(seat => seat.tag === tag)

const versioned = ({ sessionId }: ParticipantRef, version: number): Outcome => ({
  aggregate: { kind: 'conference_session', id: String(sessionId) },
  version: String(version),
})

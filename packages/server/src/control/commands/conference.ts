import { cleanDisplayName, Refusal } from '@lectern/protocol'
import type { JsonObject } from '@lectern/protocol/control'
import type { ConnectedUser } from '../../sessions/ports.ts'
import {
  ENDPOINT_ANSWER_BYTES,
  MEMBERSHIPS_PER_CONNECTION_MAX,
  SNAPSHOT_ANSWER_BYTES,
} from '../limits/constants.ts'
import { snapshotLength } from '../v2/snapshot.ts'
import type { Handler, Sender } from './command.ts'
import { openWithJoin } from './media.ts'
import { alreadyInSession, membershipIn } from './memberships.ts'

export const join: Handler<'conference.join'> = (parts, sender, command) =>
  parts.refusedJoins.counting(enter(parts, sender, command))

const enter: Handler<'conference.join'> = async (
  parts,
  sender,
  { target, body, expectedVersion, startBy },
) => {
  const { participants, streams, answers, notifications } = parts
  const tag = target.id
  const known = membershipIn(sender, tag)
  if (known?.kind === 'observer') throw alreadyInSession()
  if (!isWithinLimit(sender, tag)) throw new Refusal('too_many_conferences')
  const inDebt = notifications.take(sender.login.user, 0)
  if (inDebt) throw inDebt
  const user = connectedUserOf(sender, tag, body.display_name)
  const { participant, role, version } = await participants.join(tag, user, { expectedVersion, startBy })
  if (!participants.isInside(participant)) {
    // While the lease of the session is uncertain, they are in it all the same, and nobody would notice their end.
    await participants.leave(participant)
    throw new Refusal('session_just_ended')
  }
  const stream = streams.sessions.open(participant.sessionId)
  const { id, epoch, seq } = stream
  // Several joins of the connection may have begun at the same time.
  if (!isWithinLimit(sender, tag)) {
    notifications.charge(sender.login.user, stream.subscribers.size)
    await participants.leave(participant)
    throw new Refusal('too_many_conferences')
  }
  if (!sender.enter({ tag, participant, kind: 'participant' }, stream)) await participants.leave(participant)
  else if (!sender.isConnected) await participants.disconnect(participant)
  notifications.charge(sender.login.user, stream.subscribers.size)
  answers.charge(sender.login.user, snapshotLength(stream) - SNAPSHOT_ANSWER_BYTES)
  // Nobody would close the endpoint of somebody who has left meanwhile.
  const isInside = participants.isInside(participant)
  const media = isInside && body.media && (await openWithJoin(parts, sender, participant, body.media))
  if (media) answers.charge(sender.login.user, ENDPOINT_ANSWER_BYTES)
  const sessionId = String(participant.sessionId)
  return {
    data: {
      conference_session_id: sessionId,
      participant_id: participant.participantId,
      role,
      stream: { stream_id: id, stream_epoch: epoch, seq: String(seq) },
      ...(media && { media: media as unknown as JsonObject }),
    },
    aggregate: { kind: 'conference_session', id: sessionId },
    version: String(version),
  }
}

const isWithinLimit = (sender: Sender, tag: string): boolean =>
  sender.memberships.size < MEMBERSHIPS_PER_CONNECTION_MAX || membershipIn(sender, tag) !== undefined

export const leave: Handler<'conference.leave'> = async (
  { participants },
  sender,
  { target, expectedVersion, startBy },
) => {
  const membership = membershipIn(sender, target.id)
  if (membership) await participants.leave(membership.participant, { expectedVersion, startBy })
  return {}
}

/** The account of the sender, with what its signed link gives in this conference. */
export function connectedUserOf(
  { id, login, isResumable }: Pick<Sender, 'id' | 'login' | 'isResumable'>,
  tag: string,
  displayName: string | undefined,
): ConnectedUser {
  const { user, admission } = login
  const link = admission?.tag === tag ? admission : null
  const names = [displayName, link?.displayName, user.displayName]
  return {
    userId: user.id,
    displayName: names.map(name => cleanDisplayName(name ?? '')).find(name => name !== '') ?? '',
    linkRole: link?.role ?? null,
    isObserver: link?.isObserver === true,
    hasSharedLink: link?.isShared === true,
    connectionId: id,
    isGuest: user.kind === 'guest',
    isResumable,
  }
}

import type { ConferenceRole, EventBody } from '@lectern/protocol/control'
import { DEVICES_MAX, MEMBERS_MAX, PARTICIPANTS_MAX } from '../limits.ts'
import type { AdmissionSubject } from '../lobby/admission-rules.ts'
import { applyObserverRole, muteIfForbidden } from '../moderation/moderation.ts'
import { isMember } from '../policy.ts'
import type { Conference, ConnectedUser, SessionParts } from '../ports.ts'
import { presentParticipant } from '../present.ts'
import { assertHeld, assertOrRefuse } from '../refusals.ts'
import {
  devicesOf,
  emit,
  type Participant,
  type Session,
  saveState,
  toStoredParticipant,
  updatePresence,
} from '../session.ts'
import { claimHand, forgetHand } from './hands.ts'
import { dropPublicationsOf, publicationsOf } from './publications.ts'

/** Names a participant of a session; a connection keeps it after joining. */
export interface ParticipantRef {
  sessionId: number
  participantId: string
}

export interface JoinResult {
  conference: Conference
  participant: ParticipantRef
  role: ConferenceRole
  version: number
}

/** Each connection is one participant, however often it joins. The caller has decided that the account may enter. */
export async function enter(
  parts: SessionParts,
  session: Session,
  person: ConnectedUser & AdmissionSubject,
): Promise<Participant> {
  const devices = devicesOf(session, person.userId)
  const already = devices.find(device => device.connectionId === person.connectionId)
  if (already) {
    reconnect(parts, session, already, person)
    return already
  }
  const isFull = session.participants.size >= limitOf(session)
  const hasTooMany = devices.length >= DEVICES_MAX
  // Somebody who comes back after a crash, or on another device, does not wait until the former connection counts as
  // lost.
  const replaced = (isFull || hasTooMany) && devices.find(({ presence }) => presence.is === 'away')
  assertOrRefuse(!isFull || replaced, 'full')
  assertOrRefuse(!hasTooMany || replaced, 'too_many_devices')
  // Stored first: a membership that could not be stored does not exist.
  await addMembers(parts, session, [person])
  await applyObserverRole(parts, session, person)
  const participant = newParticipant(parts, session, person)
  try {
    if (person.isResumable)
      assertHeld(await parts.participants.add(session.lease, toStoredParticipant(participant)))
    if (session.conference?.kind === 'partner')
      await parts.attendance.joined(session.lease, toStoredParticipant(participant))
  } catch (error) {
    forgetStored(parts, session, participant, 'lost') // it may be stored all the same
    throw error
  }
  if (replaced) leave(parts, session, replaced, 'lost')
  add(parts, session, participant)
  return participant
}

const limitOf = ({ conference }: Session) =>
  Math.min(conference?.settings?.participantsMax ?? PARTICIPANTS_MAX, PARTICIPANTS_MAX)

/** The members with these accounts added, within the limit. */
function withMembers(session: Session, userIds: number[]): number[] {
  const members = [...new Set([...session.members, ...userIds])]
  const excess = members.length - MEMBERS_MAX
  if (excess <= 0) return members
  const forgettable = members.filter(id => !userIds.includes(id) && devicesOf(session, id).length === 0)
  const forgotten = new Set(forgettable.slice(0, excess))
  return members.filter(id => !forgotten.has(id))
}

/** Stores them, unless they are members already who came by the same link. */
export async function addMembers(
  parts: SessionParts,
  session: Session,
  people: Pick<ConnectedUser, 'userId' | 'linkRole' | 'hasSharedLink'>[],
): Promise<void> {
  const roles = new Map(session.sharedLinks)
  for (const { userId, linkRole, hasSharedLink } of people)
    if (hasSharedLink && linkRole !== null) roles.set(userId, linkRole)
  const isKnown = ({ userId }: Pick<ConnectedUser, 'userId'>) =>
    isMember(session, userId) && roles.get(userId) === session.sharedLinks.get(userId)
  if (people.every(isKnown)) return
  const ids = people.map(({ userId }) => userId)
  await storeMembers(parts, session, withMembers(session, ids), roles)
}

/** May be repeated. The accounts may be inside still. */
export async function endMemberships(
  parts: SessionParts,
  session: Session,
  isEnded: (userId: number) => boolean,
): Promise<void> {
  const members = [...session.members].filter(id => !isEnded(id))
  if (members.length !== session.members.size) await storeMembers(parts, session, members)
}

/** Of links, what is known of members is kept. */
async function storeMembers(
  parts: SessionParts,
  session: Session,
  ids: number[],
  roles: ReadonlyMap<number, ConferenceRole> = session.sharedLinks,
): Promise<void> {
  const members = new Set(ids)
  const sharedLinks = [...roles].filter(([id]) => members.has(id))
  await saveState(parts, session, { members: ids, sharedLinks })
  session.members = members
  session.sharedLinks = new Map(sharedLinks)
}

const newParticipant = (
  parts: SessionParts,
  session: Session,
  { userId, displayName, role, connectionId }: ConnectedUser & AdmissionSubject,
): Participant => ({
  id: `${session.id}.${session.lease.incarnation}.${++session.joins}`,
  userId,
  displayName,
  role,
  connectionId,
  joinedAtMs: parts.clock(),
  handRaisedAtMs: null,
  presence: { is: 'here' },
})

function add(parts: SessionParts, session: Session, participant: Participant): void {
  participant.handRaisedAtMs = claimHand(parts, session, participant.userId)
  session.participants.set(participant.id, participant)
  updatePresence(session, parts.monotonicMs())
  emit(parts, session, 'participant.joined', { participant: presentParticipant(participant) })
}

export function disconnect(parts: SessionParts, session: Session, participant: Participant): void {
  if (participant.presence.is === 'away') return
  participant.presence = { is: 'away', sinceMs: parts.monotonicMs() }
  updatePresence(session, parts.monotonicMs())
  emit(parts, session, 'participant.changed', { participant: presentParticipant(participant) })
}

/** The participant stays the same and gets the present role of the connection. */
export function reconnect(
  parts: SessionParts,
  session: Session,
  participant: Participant,
  { role }: Pick<Participant, 'role'>,
): void {
  if (participant.presence.is === 'here' && participant.role === role) return
  participant.presence = { is: 'here' }
  participant.role = role
  updatePresence(session, parts.monotonicMs())
  emit(parts, session, 'participant.changed', { participant: presentParticipant(participant) })
  for (const publication of publicationsOf(session, participant)) muteIfForbidden(parts, session, publication)
}

type LeaveReason = EventBody<'participant.left'>['reason']

/** Removes the participant. Joining again makes another one. */
export function leave(
  parts: SessionParts,
  session: Session,
  participant: Participant,
  reason: LeaveReason,
): void {
  session.participants.delete(participant.id)
  dropPublicationsOf(session, participant)
  forgetHand(parts, session, participant)
  updatePresence(session, parts.monotonicMs())
  emit(parts, session, 'participant.left', { participant_id: participant.id, reason })
  parts.events.detach(session.id, participant.id)
  parts.media.closeParticipant(session.id, participant.id)
  forgetStored(parts, session, participant, reason)
}

function forgetStored(
  parts: SessionParts,
  session: Session,
  participant: Participant,
  reason: LeaveReason,
): void {
  if (session.conference?.kind !== 'ordinary')
    parts.attendance
      .left(participant.id, parts.clock(), reason)
      .catch(parts.onFailure('the leave of a participant was not stored: the end of the session stores it'))
  // One that stays by a failure is away after a takeover, and leaves once more.
  parts.participants
    .remove(session.lease, participant.id)
    .catch(parts.onFailure('a participant who has left was not removed from the store'))
}

import type { ConferenceRole, EventBody } from '@lectern/protocol/control'
import { DEVICES_MAX, MEMBERS_MAX, PARTICIPANTS_MAX } from '../limits.ts'
import type { AdmissionSubject } from '../lobby/admission-rules.ts'
import { letWatchOnly, muteIfForbidden } from '../moderation/moderation.ts'
import { isMember } from '../policy.ts'
import type { Conference, ConnectedUser, SessionDependencies } from '../ports.ts'
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
  deps: SessionDependencies,
  session: Session,
  person: ConnectedUser & AdmissionSubject,
): Promise<Participant> {
  const devices = devicesOf(session, person.userId)
  const already = devices.find(device => device.connectionId === person.connectionId)
  if (already) {
    reconnect(deps, session, already, person)
    return already
  }
  assertOrRefuse(session.participants.size < limitOf(session), 'full')
  assertOrRefuse(devices.length < DEVICES_MAX, 'too_many_devices')
  // Stored first: a membership that could not be stored does not exist.
  if (!isMember(session, person.userId)) {
    const members = withMembers(session, [person.userId])
    await saveState(deps, session, { members })
    session.members = new Set(members)
  }
  if (person.isObserver) await letWatchOnly(deps, session, person.userId)
  const participant = newParticipant(deps, session, person)
  if (person.isResumable)
    assertHeld(await deps.participants.add(session.lease, toStoredParticipant(participant)))
  if (session.conference?.kind === 'partner')
    await deps.attendance.joined(session.lease, toStoredParticipant(participant))
  add(deps, session, participant)
  return participant
}

const limitOf = ({ conference }: Session) =>
  Math.min(conference?.settings?.participantsMax ?? PARTICIPANTS_MAX, PARTICIPANTS_MAX)

/** The members with these accounts added, within the limit. */
export function withMembers(session: Session, userIds: number[]): number[] {
  const members = [...new Set([...session.members, ...userIds])]
  const excess = members.length - MEMBERS_MAX
  if (excess <= 0) return members
  const forgettable = members.filter(id => !userIds.includes(id) && devicesOf(session, id).length === 0)
  const forgotten = new Set(forgettable.slice(0, excess))
  return members.filter(id => !forgotten.has(id))
}

const newParticipant = (
  deps: SessionDependencies,
  session: Session,
  { userId, displayName, role, connectionId }: ConnectedUser & AdmissionSubject,
): Participant => ({
  id: `${session.id}.${session.lease.incarnation}.${++session.joins}`,
  userId,
  displayName,
  role,
  connectionId,
  joinedAtMs: deps.clock(),
  handRaisedAtMs: null,
  presence: { is: 'here' },
})

function add(deps: SessionDependencies, session: Session, participant: Participant): void {
  participant.handRaisedAtMs = claimHand(deps, session, participant.userId)
  session.participants.set(participant.id, participant)
  updatePresence(session, deps.clock())
  emit(deps, session, 'participant.joined', { participant: presentParticipant(participant) })
}

export function disconnect(deps: SessionDependencies, session: Session, participant: Participant): void {
  if (participant.presence.is === 'away') return
  participant.presence = { is: 'away', sinceMs: deps.clock() }
  updatePresence(session, deps.clock())
  emit(deps, session, 'participant.changed', { participant: presentParticipant(participant) })
}

/** The participant stays the same and gets the present role of the connection. */
export function reconnect(
  deps: SessionDependencies,
  session: Session,
  participant: Participant,
  { role }: Pick<Participant, 'role'>,
): void {
  if (participant.presence.is === 'here' && participant.role === role) return
  participant.presence = { is: 'here' }
  participant.role = role
  for (const publication of publicationsOf(session, participant)) muteIfForbidden(deps, session, publication)
  updatePresence(session, deps.clock())
  emit(deps, session, 'participant.changed', { participant: presentParticipant(participant) })
}

type LeaveReason = EventBody<'participant.left'>['reason']

/** Removes the participant. Joining again makes another one. */
export function leave(
  deps: SessionDependencies,
  session: Session,
  participant: Participant,
  reason: LeaveReason,
): void {
  session.participants.delete(participant.id)
  dropPublicationsOf(session, participant)
  forgetHand(deps, session, participant)
  updatePresence(session, deps.clock())
  emit(deps, session, 'participant.left', { participant_id: participant.id, reason })
  deps.events.detach(session.id, participant.id)
  deps.media.closeParticipant(session.id, participant.id)
  if (session.conference?.kind !== 'ordinary')
    deps.attendance
      .left(participant.id, deps.clock(), reason)
      .catch(deps.onFailure('that a participant left was not stored: the end of the session does it'))
  // One that stays by a failure is away after a takeover, and leaves once more.
  deps.participants
    .remove(session.lease, participant.id)
    .catch(deps.onFailure('a participant who has left was not removed from the store'))
}

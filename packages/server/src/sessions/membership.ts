import type { ConferenceRole, EventBody } from '@lectern/protocol/control'
import type { Entrant } from './admission.ts'
import { claimHand, forgetHand } from './hands.ts'
import { DEVICES_MAX, MEMBERS_MAX, PARTICIPANTS_MAX } from './limits.ts'
import { isMember } from './policy.ts'
import type { Conference, ConferenceParts, Person } from './ports.ts'
import { presentParticipant } from './present.ts'
import { dropPublicationsOf } from './publications.ts'
import { demand } from './refusals.ts'
import { devicesOf, emit, kept, noteEmptiness, type Participant, type Session, streamOf } from './session.ts'

/** A participant's place in a session: what a connection keeps after joining. */
export interface Place {
  sessionId: number
  participantId: string
}

export interface Joined {
  conference: Conference
  place: Place
  role: ConferenceRole
  stream: string
  version: number
}

/** Each connection is one participant, however often it joins. That the person may enter is decided before. */
export async function enter(
  parts: ConferenceParts,
  session: Session,
  person: Person & Entrant,
): Promise<Participant> {
  const devices = devicesOf(session, person.userId)
  const already = devices.find(device => device.connectionId === person.connectionId)
  if (already) {
    comeBack(parts, session, already, person)
    return already
  }
  demand(session.participants.size < PARTICIPANTS_MAX, 'full')
  demand(devices.length < DEVICES_MAX, 'too_many_devices')
  // Stored first: whose coming could not be stored is not inside.
  if (!isMember(session, person.userId)) {
    const members = withMembers(session, [person.userId])
    await parts.sessions.save(session.id, kept(session, { members }))
    session.members = new Set(members)
  }
  return add(parts, session, person)
}

/** The members and these people, within the bound. */
export function withMembers(session: Session, userIds: number[]): number[] {
  const members = [...new Set([...session.members, ...userIds])]
  const excess = members.length - MEMBERS_MAX
  if (excess <= 0) return members
  const forgettable = members.filter(id => !userIds.includes(id) && devicesOf(session, id).length === 0)
  const forgotten = new Set(forgettable.slice(0, excess))
  return members.filter(id => !forgotten.has(id))
}

function add(
  parts: ConferenceParts,
  session: Session,
  { userId, displayName, role, connectionId }: Person & Entrant,
): Participant {
  const participant: Participant = {
    id: `${session.id}.${session.life}.${++session.joins}`,
    userId,
    displayName,
    role,
    connectionId,
    joinedAtMs: parts.clock(),
    handRaisedAtMs: claimHand(parts, session, userId),
    presence: { is: 'here' },
  }
  session.participants.set(participant.id, participant)
  noteEmptiness(session, parts.clock())
  emit(parts, session, 'participant.joined', { participant: presentParticipant(participant) })
  return participant
}

export function lose(parts: ConferenceParts, session: Session, participant: Participant): void {
  if (participant.presence.is === 'away') return
  participant.presence = { is: 'away', sinceMs: parts.clock() }
  noteEmptiness(session, parts.clock())
  emit(parts, session, 'participant.changed', { participant: presentParticipant(participant) })
}

/** The same participant, with the role that the connection has now. */
export function comeBack(
  parts: ConferenceParts,
  session: Session,
  participant: Participant,
  { role }: Pick<Participant, 'role'>,
): void {
  if (participant.presence.is === 'here' && participant.role === role) return
  participant.presence = { is: 'here' }
  participant.role = role
  noteEmptiness(session, parts.clock())
  emit(parts, session, 'participant.changed', { participant: presentParticipant(participant) })
}

type LeaveReason = EventBody<'participant.left'>['reason']

/** The participant is gone for good; whoever joins again is another one. */
export function leave(
  parts: ConferenceParts,
  session: Session,
  participant: Participant,
  reason: LeaveReason,
): void {
  session.participants.delete(participant.id)
  dropPublicationsOf(session, participant)
  forgetHand(parts, session, participant)
  noteEmptiness(session, parts.clock())
  emit(parts, session, 'participant.left', { participant_id: participant.id, reason })
  parts.events.detach(streamOf(session), participant.id)
  parts.media.closeParticipant(session.id, participant.id)
}

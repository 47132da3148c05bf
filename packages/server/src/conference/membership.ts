import type { ConferenceRole, EventBody } from '@lectern/protocol/control'
import { claimHand, forgetHand } from './hands.ts'
import { DEVICES_MAX, PARTICIPANTS_MAX } from './limits.ts'
import { canPassLock, isRemoved } from './policy.ts'
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

/** Each connection is one participant, however often it joins. */
export async function enter(parts: ConferenceParts, session: Session, person: Person): Promise<Participant> {
  demand(!isRemoved(session, person), 'removed')
  const devices = devicesOf(session, person.userId)
  const already = devices.find(device => device.connectionId === person.connectionId)
  if (already) {
    comeBack(parts, session, already, person)
    return already
  }
  demand(canPassLock(session, person), 'locked')
  demand(session.participants.size < PARTICIPANTS_MAX, 'full')
  demand(devices.length < DEVICES_MAX, 'too_many_devices')
  const { inside } = kept(session)
  // Stored first: whose coming could not be stored is not inside.
  await keepInside(parts, session, [...new Set([...inside, person.userId])])
  return add(parts, session, person)
}

function add(parts: ConferenceParts, session: Session, person: Person): Participant {
  const participant: Participant = {
    id: `${session.id}.${session.life}.${++session.joins}`,
    ...person,
    joinedAtMs: parts.clock(),
    handRaisedAtMs: claimHand(parts, session, person.userId),
    presence: { is: 'here' },
  }
  session.participants.set(participant.id, participant)
  session.awaited.delete(person.userId)
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
  { role }: Pick<Person, 'role'>,
): void {
  if (participant.presence.is === 'here' && participant.role === role) return
  participant.presence = { is: 'here' }
  participant.role = role
  noteEmptiness(session, parts.clock())
  emit(parts, session, 'participant.changed', { participant: presentParticipant(participant) })
}

type LeaveReason = EventBody<'participant.left'>['reason']

/** The participant is gone for good; who joins again is another one. */
export async function leave(
  parts: ConferenceParts,
  session: Session,
  participant: Participant,
  reason: LeaveReason,
): Promise<void> {
  takeOut(parts, session, participant, reason)
  await keepInside(parts, session)
}

export function takeOut(
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

async function keepInside(
  { sessions }: ConferenceParts,
  session: Session,
  inside = kept(session).inside,
): Promise<void> {
  if (session.locked) await sessions.save(session.id, kept(session, { inside }))
}

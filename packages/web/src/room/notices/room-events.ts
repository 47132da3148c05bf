import type { SessionView } from '@lectern/control-client'
import type { ParticipantView, Reaction } from '@lectern/protocol/control/client'
import type { MutableSource } from '../../call/media/local-media.ts'
import type { OwnPermissions } from '../../call/own-permissions.ts'
import type { InputKind } from '../../devices/port.ts'
import type { ServiceRefusal } from '../service/service.ts'

/** An event of the room. Each has its text in `texts`. */
export type RoomEvent =
  | { is: 'joined' | 'hasLeft' | 'lostConnection' | 'handRaised' | 'sharing'; name: string }
  | { is: 'removed'; name: string; userId: string; isByMe: boolean } // moderators know of it
  | { is: 'handLowered' }
  | { is: 'recording' | 'recordingStarted' | 'recordingStopped' }
  | { is: 'reacted'; by: string; reaction: Reaction }
  | { is: 'serviceRefused'; reason: ServiceRefusal }
  | { is: 'spotlit' | 'spotlightEnded' }
  | { is: 'forbidden' | 'permitted'; source: keyof OwnPermissions }
  | { is: 'muted'; source: MutableSource; by: string | null }
  | { is: 'replaced'; device: InputKind; previous: string; current: string }

type Session = Pick<SessionView, 'participants' | 'publications' | 'recording' | 'removed'>

/** The events between two states of the session. A second device of the same person is not an event. */
export function roomEventsOf(
  before: Session | null,
  after: Session,
  self: string,
  removedIds: ReadonlySet<string> = new Set(),
): RoomEvent[] {
  if (!before) return after.recording ? [{ is: 'recording' }] : []
  const others = after.participants.filter(each => each.participant_id !== self)
  const known = (id: string) => before.participants.find(each => each.participant_id === id)
  const changed = (is: 'handRaised' | 'lostConnection', has: (participant: ParticipantView) => boolean) =>
    others
      .filter(each => has(each) && !has(known(each.participant_id) ?? each))
      .map(each => ({ is, name: each.display_name }))
  return [
    ...peopleOnlyIn(after, before).map(({ name }) => ({ is: 'joined' as const, name })),
    ...peopleOnlyIn(before, after)
      .filter(({ userId }) => !isRemoved(after, userId))
      .map(({ name }) => ({ is: 'hasLeft' as const, name })),
    ...removalEvents(before, after, removedIds),
    ...changed('lostConnection', each => each.presence === 'away'),
    ...changed('handRaised', each => each.hand_raised_at_ms !== null),
    ...others
      .filter(each => isSharing(after, each) && !isSharing(before, each))
      .map(each => ({ is: 'sharing' as const, name: each.display_name })),
    ...recordingEvents(before.recording, after.recording),
  ]
}

/** Whether a moderator has lowered the hand of this user, who still wants it up. */
export function handEvents(
  before: Session | null,
  after: Session,
  self: string,
  wantsUp: boolean,
): RoomEvent[] {
  const isUp = (session: Session | null) =>
    session?.participants.some(each => each.participant_id === self && each.hand_raised_at_ms !== null)
  return wantsUp && isUp(before) && !isUp(after) ? [{ is: 'handLowered' }] : []
}

function peopleOnlyIn(one: Session, other: Session): { userId: string; name: string }[] {
  const names = new Map(one.participants.map(each => [each.user_id, each.display_name]))
  for (const { user_id } of other.participants) names.delete(user_id)
  return [...names].map(([userId, name]) => ({ userId, name }))
}

const isRemoved = ({ removed }: Session, userId: string) => removed.some(each => each.user_id === userId)

/** `removedIds`: the participants whom this user has removed. */
function removalEvents(before: Session, after: Session, removedIds: ReadonlySet<string>): RoomEvent[] {
  return after.removed
    .filter(({ user_id }) => !isRemoved(before, user_id))
    .map(({ user_id: userId, display_name: name }) => {
      const devices = before.participants.filter(each => each.user_id === userId)
      return {
        is: 'removed',
        name,
        userId,
        isByMe: devices.some(each => removedIds.has(each.participant_id)),
      }
    })
}

const isSharing = ({ publications }: Session, { participant_id }: ParticipantView) =>
  publications.some(each => each.participant_id === participant_id && each.source === 'screen')

function recordingEvents(was: boolean, is: boolean): RoomEvent[] {
  if (was === is) return []
  return [{ is: is ? 'recordingStarted' : 'recordingStopped' }]
}

/** Events of permissions that were given to this user or taken away since then. */
export function permissionEvents(before: OwnPermissions | null, after: OwnPermissions): RoomEvent[] {
  if (!before) return []
  const changed = PERMISSIONS.filter(source => before[source] !== after[source])
  return changed.map(source => ({ is: after[source] ? 'permitted' : 'forbidden', source }))
}

const PERMISSIONS = ['microphone', 'camera', 'screen', 'chat'] as const

type Spotlit = Pick<SessionView, 'spotlight_user_id'>

/** Whether everybody sees this user large, if that has changed since then; also on joining. */
export function spotlightEvents(before: Spotlit | null, after: Spotlit, userId: string): RoomEvent[] {
  const [was, is] = [before, after].map(each => each?.spotlight_user_id === userId)
  if (was === is) return []
  return [{ is: is ? 'spotlit' : 'spotlightEnded' }]
}

import { type Static, Type } from 'typebox'
import { Id, strict } from '../scalars.ts'
import { RequiredDisplayName, StoredDisplayName, TimeMs } from './fields.ts'

/** The most people in one lobby. */
export const LOBBY_MAX = 100

export const WAIT_REASONS = ['approval', 'locked', 'not_started'] as const
export type WaitReason = (typeof WAIT_REASONS)[number]
const Reason = Type.Enum(WAIT_REASONS, {
  description:
    'approval: a moderator admits people; locked: the conference is locked; not_started: a moderator ended the session, and a moderator starts the next one.',
})

/** A waiting account, as moderators see it. */
export const WaitingPerson = Type.Object(
  { user_id: Id, display_name: StoredDisplayName, reason: Reason, waiting_since_ms: TimeMs },
  strict,
)
export type WaitingPerson = Static<typeof WaitingPerson>

const target = () =>
  Type.Object(
    { user_id: Type.Optional(Id) },
    { ...strict, description: 'Without user_id: everybody who is waiting.' },
  )

export const lobbyCommands = {
  'lobby.enter': Type.Object(
    { display_name: Type.Optional(RequiredDisplayName) },
    { ...strict, description: 'Enters the lobby after conference.join was rejected with a wait reason.' },
  ),
  'lobby.leave': Type.Object({}, strict),
  'lobby.admit': target(),
  'lobby.deny': target(),
}

export const lobbyData = {
  'lobby.enter': Type.Object(
    {
      status: Type.Enum(['waiting', 'admitted'], { description: 'admitted: send conference.join now.' }),
      reason: Type.Optional(Reason),
    },
    strict,
  ),
}

export const lobbyEvents = {
  'lobby.waiting': Type.Object(
    { person: WaitingPerson },
    { ...strict, description: 'An account started waiting, or its name or reason changed.' },
  ),
  'lobby.left': Type.Object(
    { user_id: Id, reason: Type.Enum(['admitted', 'denied', 'left', 'timed_out']) },
    strict,
  ),
  'lobby.status': Type.Object(
    {
      conference_tag: Id,
      status: Type.Enum(['waiting', 'admitted', 'denied', 'ended', 'closed', 'cancelled', 'timed_out']),
      reason: Type.Optional(Reason),
    },
    {
      ...strict,
      description: 'For the waiting account. Only waiting has a reason.',
    },
  ),
}
export type LobbyStatus = Static<(typeof lobbyEvents)['lobby.status']>

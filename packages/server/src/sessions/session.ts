import type {
  ChatMode,
  ConferenceRole,
  MediaRoute,
  Phrase,
  Publication,
  WaitReason,
} from '@lectern/protocol/control'
import { type LifecycleState, onPresenceChanged } from './lifecycle/lifecycle.ts'
import type {
  Conference,
  Moderation,
  OwnSession,
  Removed,
  SessionBoard,
  SessionEvent,
  SessionLease,
  SessionParts,
  StoredMessage,
  StoredParticipant,
  StoredSession,
  StoredState,
} from './ports.ts'
import { assertHeld } from './refusals.ts'

/** One person on one device. */
export interface Participant {
  readonly id: string
  readonly userId: number
  readonly connectionId: string
  readonly joinedAtMs: number
  role: ConferenceRole
  displayName: string
  handRaisedAtMs: number | null
  /** `sinceMs`: of the monotonic clock, as is everything that a grace time begins with. */
  presence: { is: 'here' } | { is: 'away'; sinceMs: number }
}

/** An account that waits for a conference, on one connection or several. */
export interface Waiter {
  readonly userId: number
  readonly sinceMs: number
  /** On the monotonic clock. */
  readonly beganAtMs: number
  readonly hasSharedLink: boolean
  readonly connections: Set<string>
  displayName: string
  linkRole: ConferenceRole | null
  isGuest: boolean
  role: ConferenceRole
  reason: WaitReason
}

/**
 * The people who wait for one conference, with or without an open session. They are not stored: clients enter the lobby
 * again.
 */
export interface Lobby {
  readonly tag: string
  /** By user id, in the order of arrival. */
  readonly waiters: Map<number, Waiter>
  /** Until when a denied account is refused, by user id; of the monotonic clock. */
  readonly denied: Map<number, number>
  /** The admission context changed, and the waits were not evaluated again yet. */
  isStale: boolean
}

/**
 * The newest messages. `behind`: the store may hold one that was not published yet. `unpublished`: those that wait for
 * the mutex of the conference.
 */
export interface ChatTail {
  messages: StoredMessage[]
  hasOlder: boolean
  behind: boolean
  unpublished: StoredMessage[]
}

/** An open session. Features act on it; every change is published, and the version grows with each event. */
export interface Session {
  readonly id: number
  readonly tag: string
  readonly chatId: string
  readonly startedAtMs: number
  /** The conference as it was at the last join, or when this server opened the session; null: it was closed then. */
  conference: Conference | null
  readonly lease: SessionLease
  readonly openedAtMs: number
  readonly participants: Map<string, Participant>
  readonly publications: Map<string, Publication>
  readonly removed: Map<number, Removed>
  readonly chat: ChatTail
  /** Null: the conference has none. */
  board: SessionBoard | null
  /** Ids with media from the former server that belong to no participant: observers, who may still come back. */
  readonly unclaimedMedia: Set<string>
  /** When hands were raised whose people have not come back since the server started, by user id. */
  readonly unclaimedHands: Map<number, number>
  /** Accounts that enter without approval, oldest first. */
  members: Set<number>
  /** The roles of members who came by a link that names nobody. */
  sharedLinks: ReadonlyMap<number, ConferenceRole>
  /** The lobby of the conference, which outlives its sessions. */
  readonly lobby: Lobby
  media: MediaRoute | null
  locked: boolean
  chatMode: ChatMode
  moderation: Moderation
  isRecorded: boolean
  isTranscribed: boolean
  /** The newest phrases. They do not outlive the server: the transcriber keeps the whole transcript. */
  readonly phrases: Phrase[]
  version: number
  joins: number
  /** Whether somebody has been inside since this server runs it. */
  isStarted: boolean
  lifecycle: LifecycleState
}

/** Versions grow across incarnations without being stored: each incarnation begins above those before it. */
const VERSIONS_PER_INCARNATION = 2 ** 32

export function restoreSession(
  stored: StoredSession,
  lease: SessionLease,
  chat: Pick<ChatTail, 'messages' | 'hasOlder'>,
  lobby: Lobby,
  nowMs: number,
): Session {
  return {
    id: stored.sessionId,
    tag: stored.tag,
    chatId: stored.chatId,
    startedAtMs: stored.startedAtMs,
    conference: null,
    lease,
    openedAtMs: nowMs,
    participants: new Map(),
    publications: new Map(),
    removed: new Map(stored.removed.map(person => [person.userId, person])),
    chat: { ...chat, behind: false, unpublished: [] },
    board: null,
    unclaimedMedia: new Set(),
    unclaimedHands: new Map(stored.hands.map(({ userId, raisedAtMs }) => [userId, raisedAtMs])),
    members: new Set(stored.members),
    sharedLinks: new Map(stored.sharedLinks),
    lobby,
    media: null,
    locked: stored.locked,
    chatMode: stored.chatMode,
    moderation: stored.moderation,
    isRecorded: false,
    isTranscribed: false,
    phrases: [],
    version: lease.incarnation * VERSIONS_PER_INCARNATION,
    joins: 0,
    isStarted: false,
    lifecycle: { is: 'empty', sinceMs: nowMs },
  }
}

export const devicesOf = (session: Session, userId: number): Participant[] =>
  [...session.participants.values()].filter(participant => participant.userId === userId)

/** The accounts inside. */
export const userIdsIn = (session: Session | undefined): Set<number> =>
  new Set([...(session?.participants.values() ?? [])].map(({ userId }) => userId))

const toStoredState = (session: Session, changes: Partial<StoredState>): StoredState => ({
  locked: session.locked,
  chatMode: session.chatMode,
  moderation: session.moderation,
  removed: [...session.removed.values()],
  members: [...session.members],
  sharedLinks: [...session.sharedLinks],
  ...changes,
})

/** Stores the state with these changes, which the caller applies afterwards. Throws LeaseLost. */
export async function saveState(
  { sessions }: Pick<SessionParts, 'sessions'>,
  session: Session,
  changes: Partial<StoredState>,
): Promise<void> {
  assertHeld(await sessions.save(session.lease, toStoredState(session, changes)))
}

export const toStoredParticipant = (participant: Participant): StoredParticipant => {
  const { id: participantId, userId, connectionId, displayName, role, joinedAtMs } = participant
  return { participantId, userId, connectionId, displayName, role, joinedAtMs }
}

export const toOwnSession = ({ id, tag, lease }: Session): OwnSession => ({ sessionId: id, tag, lease })

/** The actor in events that name a participant, where no participant has decided. */
export const PLATFORM = 'platform'

/** Publishes to everybody in the session. */
export function emit<N extends SessionEvent['name']>(
  { events }: Pick<SessionParts, 'events'>,
  session: Session,
  name: N,
  body: Extract<SessionEvent, { name: N }>['body'],
): void {
  session.version += 1
  const event = { name, body, version: session.version } as SessionEvent
  events.publish(session.id, event)
}

/** MUST be called after every change of who is connected. */
export function updatePresence(session: Session, nowMs: number): void {
  const isAnybodyConnected = [...session.participants.values()].some(({ presence }) => presence.is === 'here')
  session.lifecycle = onPresenceChanged(session.lifecycle, isAnybodyConnected, nowMs)
}

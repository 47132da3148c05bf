import {
  type ChatMode,
  type ConferenceRole,
  type MediaRoute,
  type Phrase,
  type Publication,
  sessionStream,
} from '@lectern/protocol/control'
import type { Lobby } from './lobby.ts'
import type {
  Conference,
  EndReason,
  Removed,
  SessionDependencies,
  SessionEvent,
  StoredMessage,
  StoredSession,
  StoredState,
} from './ports.ts'

/** One person on one device. */
export interface Participant {
  readonly id: string
  readonly userId: number
  readonly connectionId: string
  readonly joinedAtMs: number
  role: ConferenceRole
  displayName: string
  handRaisedAtMs: number | null
  presence: { is: 'here' } | { is: 'away'; sinceMs: number }
}

/** The newest messages. `behind`: the store may hold one that was not told yet. */
export interface ChatTail {
  messages: StoredMessage[]
  hasOlder: boolean
  behind: boolean
}

/** An open session. Features act on it; every change goes with an event, and the version grows with each. */
export interface Session {
  readonly id: number
  readonly tag: string
  readonly startedAtMs: number
  /** Of the conference; null until somebody joined since the server started. */
  kind: Conference['kind'] | null
  readonly incarnation: number
  readonly openedAtMs: number
  readonly participants: Map<string, Participant>
  readonly publications: Map<string, Publication>
  readonly removed: Map<number, Removed>
  readonly chat: ChatTail
  /** Since when the hands of those were up who are not back since the server started, by user id. */
  readonly unclaimedHands: Map<number, number>
  /** Accounts that enter without asking, oldest first. */
  members: Set<number>
  /** Who waits for the conference. It is the conference's: sessions come and go. */
  readonly lobby: Lobby
  media: MediaRoute | null
  locked: boolean
  chatMode: ChatMode
  isRecorded: boolean
  isTranscribed: boolean
  /** The newest phrases that were heard. They do not outlive the server: the whole is the transcriber's to keep. */
  readonly phrases: Phrase[]
  version: number
  joins: number
  /** Since when nobody is here; null while somebody is. */
  emptySinceMs: number | null
  /** The end was decided, and may be stored. Whatever happens, the session does not go on. */
  ending: EndReason | null
  isOver: boolean
}

/** Versions of one life are below those of the next: what was not stored is not needed to go on growing. */
const VERSIONS_PER_LIFE = 2 ** 32

export function restoreSession(
  stored: StoredSession,
  chat: Omit<ChatTail, 'behind'>,
  lobby: Lobby,
  nowMs: number,
): Session {
  return {
    id: stored.sessionId,
    tag: stored.tag,
    startedAtMs: stored.startedAtMs,
    kind: null,
    incarnation: stored.incarnation,
    openedAtMs: nowMs,
    participants: new Map(),
    publications: new Map(),
    removed: new Map(stored.removed.map(person => [person.userId, person])),
    chat: { ...chat, behind: false },
    unclaimedHands: new Map(stored.hands.map(({ userId, raisedAtMs }) => [userId, raisedAtMs])),
    members: new Set(stored.members),
    lobby,
    media: null,
    locked: stored.locked,
    chatMode: stored.chatMode,
    isRecorded: false,
    isTranscribed: false,
    phrases: [],
    version: stored.incarnation * VERSIONS_PER_LIFE,
    joins: 0,
    emptySinceMs: nowMs,
    ending: null,
    isOver: false,
  }
}

export const devicesOf = (session: Session, userId: number): Participant[] =>
  [...session.participants.values()].filter(participant => participant.userId === userId)

export const toStoredState = (session: Session, changes: Partial<StoredState> = {}): StoredState => ({
  locked: session.locked,
  chatMode: session.chatMode,
  removed: [...session.removed.values()],
  members: [...session.members],
  ...changes,
})

/** Told to everybody in the session. */
export function emit<N extends SessionEvent['name']>(
  { events }: Pick<SessionDependencies, 'events'>,
  session: Session,
  name: N,
  body: Extract<SessionEvent, { name: N }>['body'],
): void {
  session.version += 1
  const event = { name, body, version: session.version } as SessionEvent
  events.publish(streamOf(session), event)
}

export const streamOf = (session: Session): string => sessionStream(String(session.id))

/** Sees whether anybody is here. To be called after whatever may have changed that. */
export function noteEmptiness(session: Session, nowMs: number): void {
  const anybody = [...session.participants.values()].some(({ presence }) => presence.is === 'here')
  session.emptySinceMs = anybody ? null : (session.emptySinceMs ?? nowMs)
}

import type { RoomFeature } from '@lectern/protocol'
import type {
  ChatFile,
  ChatMode,
  CommandBody,
  ConferenceRole,
  EventBody,
  MediaRoute,
  Permissions,
  Publication,
  SessionEventName,
} from '@lectern/protocol/control'
import type { BoardMode, BoardParts } from './board/ports.ts'
import type { SessionLease } from './session-lease.ts'

export type * from './board/ports.ts'
export type { SessionLease }

/** The parts of the server that sessions need, in terms of conferencing. */
export interface SessionParts {
  directory: ConferenceDirectory
  sessions: SessionStore
  participants: ParticipantStore
  attendance: AttendanceLog
  chat: ChatStore
  chatLimiter: ChatLimiter
  chatFiles: ChatFiles
  /** Null: this server has no boards. */
  board: BoardParts | null
  media: Media
  /** Takes over the media that the former server of the session has left running; null when there is none. */
  takeOverMedia: (room: { sessionId: number; incarnation: number }) => Promise<RunningMedia | null>
  events: EventSink
  jobs: SessionJobs
  /** Milliseconds since 1970. */
  clock: () => number
  /** For durations: it never goes back. */
  monotonicMs: () => number
  graceMs: number
  /** Reports a failure that nobody is waiting for; `what` is a sentence for operators. */
  onFailure: (what: string) => (error: unknown) => void
}

export interface Conference {
  tag: string
  title: string
  kind: 'ordinary' | 'partner'
  /** A moderator on every connection; null where links alone make moderators. */
  ownerId: number | null
  /** How people without a signed link enter. */
  entry: ConferenceEntry
  /** Whether its board stays for the next session; undefined: it does. */
  board?: BoardMode | undefined
  /** Settings of a partner's room; absent: the usual ones. */
  settings?: ConferenceSettings
}

export interface ConferenceSettings {
  recording: 'automatic' | 'manual' | 'off'
  recordingFormat: 'mkv' | 'mp4'
  /** Null: no transcription. `language` null: any. */
  transcription: { language: string | null } | null
  /** Whether people with a student's link wait for a moderator. */
  hasLobby: boolean
  participantsMax: number | null
  /** A feature that is off is permitted to nobody. */
  features: Readonly<Record<RoomFeature, boolean>>
}

export type ConferenceEntry = 'open' | 'lobby' | 'closed'

export interface ConferenceDirectory {
  /** Null when there is no such conference. Throws `room_closed` or `room_cancelled`. */
  find(tag: string): Promise<Conference | null>
}

/** The grant of a signed link to the connection that brought it, as long as the connection lasts. */
export interface LinkGrant {
  tag: string
  role: ConferenceRole
  /** May be empty. */
  displayName: string
  /** Watches only. */
  isObserver?: boolean
  /** The link names nobody: whoever has it may use it. */
  isShared?: boolean
}

/** An account on one connection. */
export interface ConnectedUser {
  userId: number
  displayName: string
  /** The role that the connection's signed link gives; null without a link. It is not stored. */
  linkRole: ConferenceRole | null
  /** Whether the link is one of somebody who watches only. */
  isObserver?: boolean
  /** Whether the link names nobody. */
  hasSharedLink?: boolean
  connectionId: string
  /** Whether anybody can get another such account. */
  isGuest: boolean
  /** Whether the connection may go on at another server. */
  isResumable: boolean
}

export interface Removed {
  userId: number
  displayName: string
}

/** The permissions of one person, where they differ from everybody's; absent: as everybody. */
export interface PersonException {
  userId: number
  microphone?: boolean
  camera?: boolean
  screen?: boolean
  chat?: boolean
  files?: boolean
  /** The person came as an observer: the exception began with what an observer may not do. */
  isObserver?: true
}

/** The decisions of moderators for the session. */
export interface Moderation {
  permissions: Permissions
  exceptions: PersonException[]
  /** The user id of the person whom everybody sees large. */
  spotlight: number | null
}

/** The part of a session that outlives the server process. */
export interface StoredState {
  locked: boolean
  chatMode: ChatMode
  moderation: Moderation
  removed: Removed[]
  /** User ids of everybody who was inside or was admitted: they enter without approval until the session ends. */
  members: number[]
  /** The roles of the links by which members came that name nobody. */
  sharedLinks: [userId: number, role: ConferenceRole][]
}

export interface RaisedHand {
  userId: number
  raisedAtMs: number
}

export type EndReason = EventBody<'session.ended'>['reason']

export interface StoredSession extends StoredState {
  sessionId: number
  tag: string
  startedAtMs: number
  /** How often a server has acquired the session. */
  incarnation: number
  /** The chat of its messages: the conversation of an ordinary conference, else a chat of its own. */
  chatId: string
  /** The raised hands as they were saved last. */
  hands: RaisedHand[]
  ended: { atMs: number; reason: EndReason } | null
}

/** The server of an open session. `nobody`: its server is dead or has handed it over, and any server may acquire it. */
export type SessionOwner = { is: 'server'; id: string; address: string } | { is: 'nobody' }

/** Writes of a session say under which lease they are made; false: it is not held any more, and nothing was stored. */
export interface SessionStore {
  /**
   * The open session of the conference, created if there is none, for the only server of an installation. Each call
   * begins another incarnation.
   */
  findOrOpen(tag: string, atMs: number): Promise<StoredSession>
  /** All open sessions, for the only server of an installation. Each begins another incarnation. */
  resumeOpen(): Promise<StoredSession[]>
  /** Changes nothing in a session that has ended. */
  save(lease: SessionLease, state: StoredState): Promise<boolean>
  /** Replaces the hands of the session. Changes nothing in one that has ended. */
  saveHands(lease: SessionLease, hands: RaisedHand[]): Promise<boolean>
  /** The first end stays. */
  end(lease: SessionLease, atMs: number, reason: EndReason): Promise<boolean>
  find(sessionId: number): Promise<StoredSession | null>
  /** The open session of the conference, without acquiring it. */
  findOpen(tag: string): Promise<StoredState | null>
  /** Why the newest session of the conference that has ended did so; null when there is none. */
  lastEnd(tag: string): Promise<EndReason | null>
}

/** A participant as the next server finds it that runs the session. */
export interface StoredParticipant {
  participantId: string
  userId: number
  connectionId: string
  displayName: string
  role: ConferenceRole
  joinedAtMs: number
}

/**
 * The participants of sessions, for the server that takes one over while its media continues. A missing row costs a
 * participant no more than joining again, so that nobody waits for removals.
 */
export interface ParticipantStore {
  /** False: the lease is not held any more, and nothing was stored. */
  add(lease: SessionLease, participant: StoredParticipant): Promise<boolean>
  /** Changes nothing once the lease is lost, like `remove` and `clear`: the rows belong to the next server then. */
  rename(lease: SessionLease, participantId: string, displayName: string): Promise<void>
  remove(lease: SessionLease, participantId: string): Promise<void>
  /** The participants of the session, in the order in which they joined. */
  list(sessionId: number): Promise<StoredParticipant[]>
  /** Forgets all of the session. */
  clear(lease: SessionLease): Promise<void>
  /** The open sessions in which the connection is a participant. */
  findByConnection(connectionId: string): Promise<(SessionRef & { participantId: string })[]>
}

/** The attendance in a partner's room, for the partner. Rows that nobody closed are closed with the session. */
export interface AttendanceLog {
  /** Stores nothing once the lease is lost. */
  joined(lease: SessionLease, participant: StoredParticipant): Promise<void>
  left(participantId: string, atMs: number, reason: string): Promise<void>
  /** After a takeover: all others have left. */
  restored(sessionId: number, present: string[], atMs: number): Promise<void>
  waiting(tag: string, person: WaitingGuest, atMs: number): Promise<void>
}

export interface WaitingGuest {
  userId: number
  displayName: string
  role: ConferenceRole
}

/** Media of a session that continues while the session has no server. */
export interface RunningMedia {
  /** Null until somebody opened an endpoint. */
  route: MediaRoute | null
  /** Participants and observers who have, or had, an endpoint. */
  memberIds: string[]
  publications: Publication[]
}

export interface NewMessage {
  chatId: string
  userId: number
  commandId: string
  displayName: string
  /** The sender is a moderator of the session, or the platform. Absent: not known to be. */
  isByModerator?: boolean
  text: string
  file?: ChatFile
  sentAtMs: number
}

export interface StoredMessage extends NewMessage {
  /** Grows within a chat. */
  messageId: number
  /** Null: never edited. */
  editedAtMs: number | null
  /** A deleted message has no text and no file. */
  isDeleted: boolean
}

export type MessageKey = Pick<NewMessage, 'chatId' | 'userId' | 'commandId'>

/** The most that a page holds: messages, and bytes of names and texts in UTF-8. */
export interface PageSize {
  limit: number
  bytes: number
}

export interface ChatStore {
  /**
   * Stores a message once for each key: repeated, it gives the message that is stored. Null: the lease is not held any
   * more, and nothing was stored.
   */
  append(message: NewMessage, lease: SessionLease): Promise<StoredMessage | null>
  find(key: MessageKey): Promise<StoredMessage | null>
  /** The newest messages, or the newest before one of them, at least one; oldest first. */
  page(
    chatId: string,
    before: number | null,
    size: PageSize,
  ): Promise<{ messages: StoredMessage[]; hasOlder: boolean }>
  /** All that came after a message; oldest first. */
  after(chatId: string, messageId: number): Promise<StoredMessage[]>
  get(chatId: string, messageId: number): Promise<StoredMessage | null>
  /** Removes text and file. Null: it was deleted before, or is not in the chat. */
  delete(chatId: string, messageId: number, atMs: number): Promise<StoredMessage | null>
}

/** Uploaded files, as messages need them. */
export interface ChatFiles {
  /** Gives a file of its sender to a message, and to no other. Null: there is no such file. Idempotent. */
  claim(fileId: string, message: MessageKey): Promise<ChatFile | null>
  /** Removes the file of a message that was deleted. Idempotent. */
  remove(fileId: string): Promise<void>
}

/** Reports what happens in the conversation of an ordinary conference to the server that runs its session. */
export interface ChatNotice {
  tag: string
  is: 'added' | 'changed'
  message: StoredMessage
  /** Under which a session has stored the message, and publishes it itself. */
  lease?: SessionLease | undefined
}

export interface ChatLimiter {
  /** Counts a message, or says why it cannot be sent yet, and for how many milliseconds. */
  take(message: {
    userId: number
    chatId: string
    isModerator: boolean
    bytes: number
  }): { reason: 'too_many_messages' | 'chat_busy'; waitMs: number } | null
}

export type MutableSource = CommandBody<'participant.mute'>['source']

/** Media calls are fire-and-forget: media creates what it needs when somebody publishes; its failures never block a join. */
export interface Media {
  openRoom(room: { sessionId: number; incarnation: number }): void
  closeRoom(sessionId: number): void
  /** Another server runs the session from now on, and may take over its media. */
  releaseRoom(sessionId: number): void
  closeParticipant(sessionId: number, participantId: string): void
  /** Stops what the participant sends of that kind; they may start it again. */
  mute(sessionId: number, participantId: string, source: MutableSource): void
}

/** A change that media reports to a session. */
export type MediaEvent = {
  [N in MediaEventName]: { name: N; body: EventBody<N> }
}[MediaEventName]
type MediaEventName = Extract<SessionEventName, `publication.${string}` | `media.${string}`>

export interface SessionRef {
  sessionId: number
  tag: string
}

/** A session that this server runs. */
export interface OwnSession extends SessionRef {
  lease: SessionLease
}

/** The options of the transcript. */
export type TranscriptionOptions = CommandBody<'transcription.start'>

/** Background work for sessions, such as recording. */
export interface SessionJobs {
  /** Starts a recording unless one is running. */
  startRecording(session: OwnSession, format?: 'mkv' | 'mp4'): Promise<void>
  stopRecording(sessionId: number): Promise<void>
  /** Whether a transcriber is available right now. */
  hasTranscriber(): boolean
  /** Whether a transcriber that is available recognises the language, as far as that is known. */
  canTranscribe(language: string): boolean
  /** Starts a transcription unless one is running. */
  startTranscription(session: OwnSession, options: TranscriptionOptions): Promise<void>
  stopTranscription(sessionId: number): Promise<void>
}

export type SessionEvent = {
  [N in SessionEventName]: { name: N; body: EventBody<N>; version: number }
}[SessionEventName]

/** The sink for events of sessions. No method throws or waits. */
export interface EventSink {
  publish(sessionId: number, event: SessionEvent): void
  /** The participant receives no further events; that they left was the last. */
  detach(sessionId: number, participantId: string): void
  /** Whether a participant, or an observer, receives the events now, or may still resume. */
  isSubscribed(sessionId: number, key: string): boolean
  /** The session publishes nothing further. */
  close(sessionId: number): void
  /** To all connections of the account, and to those of them that resume in time. */
  notifyAccount(userId: number, event: LobbyEvent): void
}

export interface LobbyEvent {
  name: 'lobby.status'
  body: EventBody<'lobby.status'>
}

import type { CommandBody, CommandData } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { User } from '../accounts/ports.ts'
import type { ParticipantMedia, TurnAccess } from '../media/ports.ts'
import type { Calls } from '../messaging/calls/calls.ts'
import type { Messaging } from '../messaging/messaging.ts'
import type { Clock } from '../platform/clock.ts'
import type { Tracing } from '../platform/tracing.ts'
import type { WorkerJobs } from '../records/jobs/ports.ts'
import type { Boards } from '../sessions/board/boards.ts'
import type { ConferenceSessions } from '../sessions/conference-sessions.ts'
import type { Participants } from '../sessions/participants/participants.ts'
import type { LinkGrant } from '../sessions/ports.ts'
import type { Reports } from '../sessions/reports.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { AccountBudget, FrameLimiter } from './limits/account-budgets.ts'
import type { CapacityLimits } from './limits/capacity.ts'
import type { ResultLimits } from './limits/constants.ts'
import type { LobbyRateLimiter } from './limits/lobby-limiter.ts'
import type { SignalLimiter } from './limits/signal-limiter.ts'
import type { RefusedJoins } from './refused-joins.ts'
import type { ServerStreams } from './streams/server-streams.ts'
import type { ResumeTokens } from './v2/resume-tokens.ts'

/** A WebSocket, or the socket of a test. */
export interface Socket {
  /** The region of the server that the client is connected to, if that is another one. */
  readonly region?: string | undefined
  /** Bytes that are not on their way yet. */
  readonly bufferedAmount: number
  send(frame: string): void
  ping(): void
  close(code: number, reason: string): void
  /** At once, without a word. */
  terminate(): void
}

/** The events of a socket. */
export interface SocketEvents {
  /** `null` for a frame that is not text. */
  onFrame(frame: Uint8Array | string | null): void
  /** A ping or a pong. */
  onPing(): void
  onClose(code: number): void
}

/** The account of a connection, and what its join token gives (rules W4 and LINK-3). */
export interface Login {
  user: User
  authSessionId: string
  /** A secret; undefined without a link. */
  joinToken: string | undefined
  admission: LinkGrant | null
}

/** Checks access tokens and signed links. All methods throw a Refusal. */
export interface Authenticator {
  login(accessToken: string, joinToken: string | undefined): Promise<Login>
  /** The login as it would be now. Throws the error with which it would be refused. */
  renew(login: Login): Promise<Pick<Login, 'user' | 'admission'>>
  /** While it stays the same, nobody has lost what they had. A promise while another machine is asked; it never rejects. */
  accessVersion(): number | Promise<number>
}

/** Registers devices for push notifications. Throws a Refusal. */
export interface PushRegistration {
  update(
    user: User,
    authSessionId: string,
    body: CommandBody<'push_subscription_update'>,
  ): Promise<CommandData<'push_subscription_update'>['status']>
}

export interface ControlParts {
  authenticator: Authenticator
  media: ParticipantMedia
  jobs: WorkerJobs
  pushSubscriptions: PushRegistration
  /** The TURN servers for this user; null when there are none. */
  turnAccess: (userId: number) => TurnAccess | null
  conferences: Pick<ConferenceSessions, 'ensureHere'>
  participants: Participants
  reports: Pick<Reports, 'addPhrases'>
  /** Null: this server has none. */
  boards: Boards | null
  calls: Calls
  messaging: Messaging
  registry: Pick<SessionRegistry, 'get' | 'state'>
  streams: ServerStreams
  clock: Clock
  /** Measures durations: nobody sets it, while `clock` is corrected by the time of the database. */
  monotonicMs: () => number
  log: Logger
  tracing: Tracing
  deploymentId: string
  resumeTokens: ResumeTokens
  /** How long a conference keeps the participant of a lost connection. */
  graceMs: number
  answers: AccountBudget
  notifications: AccountBudget
  signals: SignalLimiter
  frames: FrameLimiter
  capacity: CapacityLimits
  /** How much is remembered of commands. */
  resultLimits: ResultLimits
  refusedJoins: RefusedJoins
  /** Requests to be admitted to a conference. */
  lobbyLimiter: LobbyRateLimiter
}

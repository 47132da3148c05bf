import type { CommandBody, CommandData, JobKind } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { User } from '../accounts/ports.ts'
import type { Calls } from '../calls/calls.ts'
import type { Clock } from '../clock.ts'
import type { JobOwner } from '../jobs/ports.ts'
import type { ParticipantMedia } from '../media/ports.ts'
import type { ConferenceSessions } from '../sessions/conference-sessions.ts'
import type { LinkGrant, SessionRef } from '../sessions/ports.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { Streams } from '../streams/streams.ts'
import type { AnswerBudget } from './limits/answer-budget.ts'
import type { CapacityLimits } from './limits/capacity.ts'
import type { FrameLimiter } from './limits/frame-limiter.ts'
import type { LobbyRateLimiter } from './limits/lobby-limiter.ts'
import type { NotificationBudget } from './limits/notification-budget.ts'

/** A WebSocket, or the socket of a test. */
export interface Socket {
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
  /** What the login is worth by now. Throws what it would be refused with. */
  renew(login: Login): Promise<Pick<Login, 'user' | 'admission'>>
  /** While it stays the same, nobody has lost what they had. */
  accessVersion(): number
}

/**
 * What workers ask of jobs. The caller has checked that the account may do jobs of the kind; whatever is about a
 * job that the worker does not hold throws a Refusal.
 */
export interface WorkerJobs {
  lease(worker: JobOwner, kind: JobKind, holding: string[]): Promise<CommandData<'job.lease'>>
  /** Its session and its kind, if the worker holds it. */
  held(worker: JobOwner, jobId: string): Promise<(SessionRef & { kind: JobKind }) | null>
  renew(worker: JobOwner, jobId: string): Promise<CommandData<'job.renew'>>
  progress(
    worker: JobOwner,
    jobId: string,
    report: Pick<CommandBody<'job.progress'>, 'active' | 'details'>,
  ): Promise<CommandData<'job.progress'>>
  /** Renews, too. */
  transcribing(
    worker: JobOwner,
    jobId: string,
  ): Promise<{ sessionId: number; held: CommandData<'job.phrases'> }>
  finish(
    worker: JobOwner,
    jobId: string,
    end: Pick<CommandBody<'job.finish'>, 'outcome' | 'result'>,
  ): Promise<CommandData<'job.finish'>>
  /** Of any job, also of other workers. */
  state(jobId: string): Promise<CommandData<'job.state'>>
}

/** What a browser needs to reach media workers through TURN. */
export type IceServers = Pick<CommandData<'media.open'>, 'ice_servers' | 'ice_servers_ttl_ms'>

/** Registers devices for push notifications. Throws a Refusal. */
export interface PushRegistration {
  update(
    user: User,
    authSessionId: string,
    body: CommandBody<'push_subscription_update'>,
  ): Promise<CommandData<'push_subscription_update'>['status']>
}

export interface ControlDependencies {
  authenticator: Authenticator
  media: ParticipantMedia
  jobs: WorkerJobs
  pushSubscriptions: PushRegistration
  iceServers: (userId: number) => IceServers
  conferences: ConferenceSessions
  calls: Calls
  registry: Pick<SessionRegistry, 'get' | 'state'>
  streams: Streams
  clock: Clock
  log: Logger
  deploymentId: string
  /** How long a conference keeps the participant of a lost connection. */
  graceMs: number
  answers: AnswerBudget
  notifications: NotificationBudget
  frames: FrameLimiter
  capacity: CapacityLimits
  /** Requests to be admitted to a conference. */
  lobbyLimiter: LobbyRateLimiter
}

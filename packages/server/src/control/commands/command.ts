import type { Capability } from '@lectern/protocol'
import type { CommandBody, CommandName, JsonObject, Target } from '@lectern/protocol/control'
import type { CommandContext, FindStored } from '../../sessions/command.ts'
import type { ParticipantRef } from '../../sessions/participants/membership.ts'
import type { ControlParts, Login } from '../ports.ts'
import type { SdpNegotiation } from '../sdp-negotiation.ts'
import type { Stream } from '../streams/stream.ts'

/** The part of a connection in a session: a participant, or an observer for a job. */
export interface SessionMembership {
  tag: string
  participant: ParticipantRef
  kind: 'participant' | 'observer'
  /** The capability that an observer's account needs as long as it observes. */
  needs?: Capability
  /** Present if the endpoint is negotiated in SDP. */
  sdp?: SdpNegotiation | undefined
}

/** A connection of either protocol version, as the sender of commands. */
export interface Sender {
  readonly id: string
  readonly login: Login
  /** By stream id. */
  readonly memberships: ReadonlyMap<string, SessionMembership>
  /** Adds a membership and subscribes to the stream of the session. False when the connection has ended meanwhile. */
  enter(membership: SessionMembership, stream: Stream): boolean
  /** Pages of boards whose streams it receives. */
  readonly watchedPages: number
  isWatching(streamId: string): boolean
  /** Sends the snapshot of a page and then its events. Does nothing when the connection has ended meanwhile. */
  watch(stream: Stream, key: string): void
  unwatch(stream: Stream): void
  /** Bytes that wait to be sent. */
  readonly bufferedBytes: number
  readonly isConnected: boolean
  /** The connection has ended and cannot be resumed. */
  readonly isOver: boolean
  readonly address: string
  /** The region of the client; undefined: that of this server. */
  readonly region: string | undefined
  /** Whether media can be negotiated with it. */
  readonly canNegotiate: boolean
  /** Whether it can continue on another socket. */
  readonly isResumable: boolean
}

/** A command with a valid target and body. */
export interface Command<N extends CommandName = CommandName> {
  id: string
  name: N
  target: Target
  body: CommandBody<N>
  expectedVersion?: string | undefined
  /** Milliseconds of the clock, after which the command is refused (rule K7). */
  startBy?: number | undefined
}

/** The result of a command. `version` is the version of the aggregate after it. */
export interface Outcome {
  data?: JsonObject
  aggregate?: Target
  version?: string
}

type CommandStatus = 'committed' | 'applied'

/**
 * The answer to a repetition of a command_id (rule K2).
 * - cached: the result of the first execution, within the retry window.
 * - per-connection: likewise, but each connection executes the command itself (decision record 010).
 * - repeatable: the command is executed again, which does no harm; its result is not cached.
 * - sets-state: likewise, because it says how something is to be; with an expected version it is cached.
 */
export type Idempotency = 'cached' | 'per-connection' | 'repeatable' | 'sets-state'

/**
 * The payment for the notifications that a command causes (rule K18): `limited` commands are refused when the account
 * has no budget left, `charged` ones never.
 */
type Notifications = 'limited' | 'charged'

interface CommonTraits {
  status: CommandStatus
  idempotency: Idempotency
  /** The handler checks the deadline (rule K7). */
  checksDeadline?: true
  /** Charged before the execution, in bytes (rule K13). */
  answerBytes?: number
  notifications?: Notifications
}

/** Executed in sequence with all commands of the session, after its deadline and expected version were checked. */
export interface SessionEntry<N extends CommandName> extends CommonTraits {
  access: 'participant'
  run: (context: CommandContext, body: CommandBody<N>) => unknown
  /** Finds the result of a repetition also after the retry window and a crash (rule K5). */
  findStored?: FindStored<CommandBody<N>>
}

export interface MemberEntry<N extends CommandName> extends CommonTraits {
  access: 'participant' | 'observer' | 'member'
  handle: MemberHandler<N>
}

interface AccountEntry<N extends CommandName> extends CommonTraits {
  /** `worker`: the handler requires the capability that the kind of the job needs. */
  access: 'signed-in' | 'worker'
  /** The handler compares the expected version. Other targets of accounts have no version (rule K6). */
  comparesVersion?: true
  handle: Handler<N>
}

/** All that the server knows of a command, besides the target kinds and the body, which the protocol defines. */
export type CommandEntry<N extends CommandName> = SessionEntry<N> | MemberEntry<N> | AccountEntry<N>

export type Handler<N extends CommandName> = (
  parts: ControlParts,
  sender: Sender,
  command: Command<N>,
) => Promise<Outcome>

export type MemberHandler<N extends CommandName> = (
  parts: ControlParts,
  member: { sender: Sender; participant: ParticipantRef },
  command: Command<N>,
) => Promise<Outcome>

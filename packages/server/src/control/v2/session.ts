import { Refusal } from '@lectern/protocol'
import {
  type CloseReason,
  type ControlError,
  type ControlSync,
  type EnvelopeKind,
  encodeFrame,
  type FrameOf,
  type ParsedFrame,
  parseFrame,
  type ReplyTarget,
  refusalFrame,
  replyTargetOf,
} from '@lectern/protocol/control'
import type { Sender } from '../commands/command.ts'
import { MAX_FRAME_BYTES, SIGNAL_TTL_MAX_MS, SNAPSHOT_ANSWER_BYTES, SYNC_COST } from '../limits/constants.ts'
import type { ControlParts, Login } from '../ports.ts'
import { controlError } from '../refusals.ts'
import type { WebSocketTransport } from '../socket/transport.ts'
import type { CommandProcessor } from './command-processor.ts'
import type { Connection } from './connection.ts'
import type { ConnectionRegistry } from './connection-registry.ts'
import { envelopeEncoder } from './envelopes.ts'
import { negotiate } from './media-negotiation.ts'
import { relaySignal } from './signals.ts'
import { type SyncOutcome, SyncService } from './sync.ts'

export interface V2Parts extends ControlParts {
  connections: ConnectionRegistry
  commands: CommandProcessor
  /** True while the server is about to stop: syncs are refused. */
  isDraining: () => boolean
}

const RETRY_LATER: ControlError = { code: 'temporarily_unavailable', retry_after_ms: 2_000 }

/** The v2 protocol on one socket: dispatches frames, and refuses those that are malformed. */
export class V2Session {
  readonly #parts: V2Parts
  readonly #login: Login
  readonly #transport: WebSocketTransport
  readonly #syncs: SyncService
  #connection: Connection | null = null
  #isSyncing = false
  #keepAlives = 0
  /** Set by `end` and `onClose`. */
  #closed: { forGood: boolean } | null = null

  constructor(parts: V2Parts, login: Login, transport: WebSocketTransport) {
    this.#parts = parts
    this.#login = login
    this.#transport = transport
    this.#syncs = new SyncService(parts, parts.connections)
  }

  get hasSynced(): boolean {
    return this.#connection !== null
  }

  receive(frame: string | Uint8Array, arrivedAtMs: number): void {
    const parsed = parseFrame(frame, { maxFrameBytes: MAX_FRAME_BYTES })
    if (parsed.ok) this.#handle(parsed.kind, parsed.frame, arrivedAtMs)
    else this.#refuse(parsed)
  }

  /** Rules F11 to F13. */
  #refuse({ code, message, ...rest }: Extract<ParsedFrame, { ok: false }>): void {
    const isAnswered = !rest.close && this.#answer(rest.answer, { code, message })
    if (!isAnswered) this.#transport.close(4400, code as CloseReason<4400>)
  }

  /** Returns whether there is an answer. */
  #answer(to: ReplyTarget, error: ControlError): boolean {
    const refusal = refusalFrame(to, error, this.#connection?.binding)
    if (refusal) this.#transport.send(encodeFrame(refusal))
    return refusal !== null
  }

  /** Refuses a frame, because the login is no longer valid. A frame that has no answer is ignored. */
  deny(frame: string | Uint8Array, error: ControlError): void {
    const parsed = parseFrame(frame, { maxFrameBytes: MAX_FRAME_BYTES })
    const to = parsed.ok ? replyTargetOf(parsed.kind, Object.values(parsed.frame)[0]) : null
    if (to) this.#answer(to, error)
  }

  /** Leaves all conferences at once. The caller closes the socket. */
  end(): void {
    this.#closed ??= { forGood: true }
    if (this.#connection) this.#parts.connections.end(this.#connection)
  }

  get sender(): Sender | null {
    return this.#connection
  }

  /** Shows pages, which cannot see pings, that the server is alive. */
  sendKeepAlive(): void {
    const stream = this.#connection?.subscriptions.values().next().value?.stream
    if (!stream) return
    const seq = String(++this.#keepAlives)
    const alive = { sourceId: 'server', name: 'connection.alive', body: {}, ttlMs: SIGNAL_TTL_MAX_MS, seq }
    this.#connection?.onSignal(envelopeEncoder.signal(stream, alive))
  }

  /** The socket is gone. `forGood`: the client has said that it does not return (rule W6). */
  onClose(forGood: boolean): void {
    this.#closed = { forGood }
    if (this.#connection) this.#release(this.#connection, this.#closed)
  }

  #release(connection: Connection, { forGood }: { forGood: boolean }): void {
    if (forGood && connection.isOn(this.#transport)) this.#parts.connections.end(connection)
    else this.#parts.connections.disconnected(connection, this.#transport)
  }

  /**
   * The handler of every kind of frame. A kind without an entry does not compile; `null` marks kinds that only servers
   * send.
   */
  #handlers: { [K in EnvelopeKind]: ((content: FrameOf<K>[K], arrivedAtMs: number) => void) | null } = {
    control_sync: sync => void this.#sync(sync),
    control_command: (command, arrivedAtMs) => {
      if (this.#connection) void this.#parts.commands.receive(this.#connection, command, arrivedAtMs)
    },
    control_signal: signal => {
      if (this.#connection) relaySignal(this.#parts, this.#connection, signal)
    },
    control_media: media => {
      if (this.#connection) void negotiate(this.#parts, this.#connection, media)
    },
    control_result: null,
    control_event: null,
    control_snapshot: null,
    control_sync_result: null,
  }

  #handle<K extends EnvelopeKind>(kind: K, frame: unknown, arrivedAtMs: number): void {
    const handle = this.#handlers[kind]
    const isTooEarly = !this.#connection && kind !== 'control_sync'
    if (!handle || isTooEarly) this.#transport.close(4400, 'invalid_argument')
    else handle((frame as FrameOf<K>)[kind], arrivedAtMs)
  }

  async #sync(sync: ControlSync): Promise<void> {
    if (!this.#transport.frameBudget.spend(SYNC_COST)) {
      this.#transport.close(4429, 'rate_limited')
      return
    }
    if (this.#isSyncing || this.#parts.isDraining()) {
      this.#refuseSync(sync, 'retry_later')
      return
    }
    const { answers, notifications } = this.#parts
    const { user } = this.#login
    const overBudget = notifications.take(user, 0) ?? answers.take(user, SNAPSHOT_ANSWER_BYTES)
    if (overBudget) {
      this.#refuseSync(sync, 'retry_later', controlError(overBudget))
      return
    }
    this.#isSyncing = true
    const outcome = await this.#runSync(sync).catch(error => this.#failed(error))
    this.#isSyncing = false
    if (outcome.is !== 'ready') this.#refuseSync(sync, outcome.is, outcome.error)
    else if (this.#closed) this.#release(outcome.connection, this.#closed)
    // Superseded meanwhile, its socket is closed with that reason (rule Y11).
    else if (outcome.connection.isOn(this.#transport)) this.#adopt(outcome)
    // The session of the connection went to another server meanwhile.
    else this.#transport.close(1001, 'temporarily_unavailable')
  }

  /** The connection that the socket had before ends. */
  #adopt({ connection, answer }: Extract<SyncOutcome, { is: 'ready' }>): void {
    if (this.#connection && this.#connection !== connection) this.#parts.connections.end(this.#connection)
    this.#connection = connection
    const before = this.#transport.sentLength
    answer(frame => this.#transport.send(frame))
    this.#parts.answers.charge(this.#login.user, this.#transport.sentLength - before - SNAPSHOT_ANSWER_BYTES)
  }

  async #runSync(sync: ControlSync): Promise<SyncOutcome> {
    switch (sync.mode) {
      case 'resync':
        return this.#syncs.resync(sync, this.#connection, this.#transport)
      case 'resume':
        return this.#syncs.resume(sync, this.#login, this.#transport)
      case 'fresh':
        // The former connection no longer counts towards the limit of its account.
        if (this.#connection) this.#parts.connections.end(this.#connection)
        this.#connection = null
        return this.#syncs.fresh(sync, this.#login, this.#transport)
    }
  }

  #failed(error: unknown): SyncOutcome {
    if (error instanceof Refusal && error.code === 'elsewhere')
      return { is: 'resume_rejected', error: { ...controlError(error), code: 'resume_rejected' } }
    if (error instanceof Refusal)
      return { is: 'retry_later', error: { ...RETRY_LATER, ...controlError(error) } }
    this.#parts.log.error(
      { err: error, transport: this.#transport.id },
      'a sync failed: the client asks again',
    )
    return { is: 'retry_later', error: RETRY_LATER }
  }

  #refuseSync(
    { request_id }: ControlSync,
    status: 'resume_rejected' | 'retry_later',
    error: ControlError = RETRY_LATER,
  ): void {
    this.#transport.send(JSON.stringify({ control_sync_result: { request_id, status, error } }))
  }
}

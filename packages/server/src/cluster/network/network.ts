import { backoffMs, Emitter, interruptibleSleep } from '@lectern/common'
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import { decode, encode } from './envelope.ts'
import type { MessageSignatures } from './message-signatures.ts'
import { connectTo, type NatsSettings } from './nats-connection.ts'
import { fromWire, NetworkError, toWire, UNSUPPORTED } from './network-error.ts'
import { RefusedMessages } from './refused-messages.ts'

/** About a message that was received. */
export interface MessageInfo {
  /** The id of the sender. */
  from: string
  /** Without the namespace. */
  subject: string
}

export type MessageHandler = (message: unknown, about: MessageInfo) => void
/** What it returns is the answer; what it throws is the failure that the requester gets. */
export type RequestHandler = (message: unknown, about: MessageInfo) => unknown

interface NetworkOptions extends NatsSettings {
  /** The id of this server. */
  self: string
  signatures: MessageSignatures
  log: Logger
  tracing?: Tracing
}

interface Registration {
  subject: string
  onMessage: (message: Msg) => void
  subscription: Subscription | null
}

const RETRY = { firstMs: 100, maxMs: 2_000, jitter: 0.5 }
/** NATS accepts a megabyte; larger messages are defects. */
const MESSAGE_MAX_BYTES = 1_000_000

/** A subject without the ids of members and sessions in it: what a span is named by. */
const operationOf = (subject: string): string =>
  subject
    .split('.')
    .map(part => (/^[a-z_]{1,32}$/.test(part) ? part : '*'))
    .join('.')

/**
 * Messages and requests between the servers of a cluster, over core NATS: delivered at most once, in the order of one
 * sender. Subjects are dot-separated; `*` and a final `>` match in `subscribe` and `serve`. It reconnects for ever and
 * keeps its subscriptions meanwhile.
 */
export class ClusterNetwork {
  readonly #options: NetworkOptions
  readonly #registrations = new Set<Registration>()
  readonly #connected = new Emitter<void>()
  readonly #stopping = new AbortController()
  readonly #refused: RefusedMessages
  #connection: NatsConnection | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(options: NetworkOptions) {
    this.#options = options
    this.#refused = new RefusedMessages(options.log)
  }

  get isConnected(): boolean {
    return this.#connection !== null
  }

  /**
   * Members whose messages are refused, because they speak a newer version of the protocol than this program. Their sessions
   * are theirs (the database says so), but requests to them fail.
   */
  get incompatible(): { id: string; version: number }[] {
    return this.#refused.incompatible
  }

  /** The ids of senders of the last seconds whose messages are refused because no accepted secret has signed them. */
  get strangers(): string[] {
    return this.#refused.strangers
  }

  /** After each time a connection was made, the first included. Messages of the time before may be lost. */
  onReconnect(handler: () => void): () => void {
    return this.#connected.on(handler)
  }

  /** Connects, and goes on trying. Resolves when connected, or after `waitMs` without success. */
  async start(waitMs: number): Promise<void> {
    const first = new Promise<void>(resolve => {
      const off = this.onReconnect(() => {
        off()
        resolve()
      })
    })
    this.#running = this.#run()
    const waiting = new AbortController()
    await Promise.race([first, interruptibleSleep(waitMs, waiting.signal)])
    waiting.abort()
  }

  /** What was published before is sent. */
  async stop(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    if (connection) await flushed(connection)
    this.#stopping.abort()
    await connection?.close()
    await this.#running
  }

  /** Never throws. Without a connection the message is lost. */
  publish(subject: string, message: unknown): void {
    const data = encode(this.#options.self, { body: message })
    if (Buffer.byteLength(data) > MESSAGE_MAX_BYTES)
      this.#options.log.error({ subject }, 'a message to the other servers is too large and was dropped')
    else this.#publish(this.#subjectOf(subject), data)
  }

  /** Also receives the own messages. What the handler throws is logged. */
  subscribe(subject: string, handler: MessageHandler): () => void {
    return this.#register(subject, message => {
      const read = this.#read(message)
      if (read.is === 'readable') handler(read.body, this.#about(message, read.from))
    })
  }

  /** Answers requests. Refusals reach the requester; other failures are logged and reach it as `failed`. */
  serve(subject: string, handler: RequestHandler): () => void {
    return this.#register(subject, message => {
      if (message.reply) void this.#answer(message, message.reply, handler)
    })
  }

  /** The answer. Throws the Refusal of the other server, or a NetworkError; `no_responder` at once. */
  request(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    return this.#tracing.run(`request ${operationOf(subject)}`, { kind: 'client' }, () =>
      this.#request(subject, message, timeoutMs),
    )
  }

  async #request(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    const { traceparent } = this.#tracing
    const data = encode(this.#options.self, { body: message, ...(traceparent && { traceparent }) })
    if (Buffer.byteLength(data) > MESSAGE_MAX_BYTES) throw new NetworkError('too_large')
    if (!this.#connection) throw new NetworkError('disconnected')
    const to = this.#subjectOf(subject)
    const answer = await this.#connection
      .request(to, this.#options.signatures.sign(to, data), { timeout: timeoutMs })
      .catch(error => {
        throw this.#failureOf(error)
      })
    const read = this.#read(answer)
    if (read.is === 'unreadable')
      throw new NetworkError(read.why === 'newer_version' ? 'unsupported' : 'failed')
    if (read.error) throw fromWire(read.error)
    return read.body
  }

  get #tracing(): Tracing {
    return this.#options.tracing ?? noTracing
  }

  /** `subject`: with the namespace. */
  #publish(subject: string, data: string): void {
    try {
      this.#connection?.publish(subject, this.#options.signatures.sign(subject, data))
    } catch {
      // The connection was closed in this moment: the message is lost, as others are.
    }
  }

  async #answer(message: Msg, reply: string, handler: RequestHandler): Promise<void> {
    const { self, log } = this.#options
    const read = this.#read(message)
    if (read.is === 'unreadable') {
      // Nothing is signed for whoever cannot sign.
      if (read.why !== 'unsigned') this.#publish(reply, encode(self, { error: UNSUPPORTED }))
      return
    }
    const about = this.#about(message, read.from)
    try {
      const { traceparent } = read
      const options = { kind: 'server', traceparent } as const
      const work = async () => handler(read.body, about)
      const body = await this.#tracing.run(`answer ${operationOf(about.subject)}`, options, work)
      const data = encode(self, { body })
      if (Buffer.byteLength(data) > MESSAGE_MAX_BYTES) throw new NetworkError('too_large')
      this.#publish(reply, data)
    } catch (error) {
      const wire = toWire(error)
      if (wire.code === 'failed')
        log.error({ err: error, subject: about.subject }, 'a request of another server failed')
      this.#publish(reply, encode(self, { error: wire }))
    }
  }

  #register(subject: string, onMessage: (message: Msg) => void): () => void {
    const registration: Registration = { subject: this.#subjectOf(subject), onMessage, subscription: null }
    this.#registrations.add(registration)
    if (this.#connection) this.#subscribe(this.#connection, registration)
    return () => {
      this.#registrations.delete(registration)
      if (this.#connection) registration.subscription?.unsubscribe()
    }
  }

  #subscribe(connection: NatsConnection, registration: Registration): void {
    const { log } = this.#options
    const callback = (error: Error | null, message: Msg) => {
      try {
        if (error) throw error
        registration.onMessage(message)
      } catch (cause) {
        log.error({ err: cause, subject: registration.subject }, 'a message of another server failed')
      }
    }
    registration.subscription = connection.subscribe(registration.subject, { callback })
  }

  #read(message: Msg) {
    const { text, isValid } = this.#options.signatures.read(message.subject, message.string())
    const read = decode(text, isValid)
    if (read.is === 'unreadable') this.#refused.report(message.subject, read)
    return read
  }

  #failureOf(error: unknown): NetworkError {
    const { name, cause } = error as Error
    const causes = [name, (cause as Error | undefined)?.name]
    if (causes.includes('NoResponders')) return new NetworkError('no_responder')
    return new NetworkError(causes.includes('TimeoutError') ? 'timeout' : 'disconnected', { cause: error })
  }

  #about({ subject }: Msg, from: string): MessageInfo {
    return { from, subject: subject.slice(this.#options.namespace.length + 1) }
  }

  #subjectOf(subject: string): string {
    return `${this.#options.namespace}.${subject}`
  }

  async #run(): Promise<void> {
    const { addresses, log } = this.#options
    const { signal } = this.#stopping
    let failures = 0
    for (let i = 0; !signal.aborted; i++) {
      const address = addresses[i % addresses.length] as NetworkOptions['addresses'][number]
      try {
        const connection = await connectTo(address, this.#options)
        failures = 0
        await this.#use(connection, address.label)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (failures++ % 60 === 0)
          log.warn({ nats: address.label, reason: code ?? message }, 'NATS cannot be reached; trying again')
      }
      await interruptibleSleep(backoffMs(failures, RETRY), signal)
    }
  }

  /** Until the connection is lost. */
  async #use(connection: NatsConnection, label: string): Promise<void> {
    const { log } = this.#options
    const { signal } = this.#stopping
    if (signal.aborted) return connection.close()
    this.#connection = connection
    for (const registration of this.#registrations) this.#subscribe(connection, registration)
    // Others can reach the subscriptions when `onReconnect` runs.
    await flushed(connection)
    if (!connection.isClosed()) {
      log.info({ nats: label }, 'connected to NATS')
      this.#connected.emit()
    }
    const error = await connection.closed()
    this.#connection = null
    if (!signal.aborted)
      log.warn({ nats: label, reason: error?.message ?? 'closed' }, 'the connection to NATS is lost')
  }
}

/** When NATS has everything that was sent, or the connection is lost: a dead one never answers. */
const flushed = (connection: NatsConnection): Promise<unknown> =>
  Promise.race([connection.flush().catch(() => {}), connection.closed()])

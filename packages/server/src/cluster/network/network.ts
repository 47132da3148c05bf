import { Emitter } from '@lectern/common'
import type { Msg } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import { decode, type Envelope, encode, MESSAGE_MAX_BYTES, type Unreadable } from './envelope.ts'
import type { MessageSignatures } from './message-signatures.ts'
import type { NatsSettings } from './nats-connection.ts'
import { fromWire, NetworkError, toWire, UNSUPPORTED } from './network-error.ts'
import { ReconnectingNats, type Registration } from './reconnecting-nats.ts'
import { RefusedMessages } from './refused-messages.ts'
import { ReplayProtection, type SequenceReport } from './replay-protection.ts'
import { UnnumberedSenders } from './unnumbered-senders.ts'

/** About a message that was received. */
export interface MessageInfo {
  /** The id of the sender. */
  from: string
  /** Without the namespace. */
  subject: string
}

export type MessageHandler = (message: unknown, about: MessageInfo) => void
/** Handles a request: its result is the answer, and its error the failure that the requester gets. */
export type RequestHandler = (message: unknown, about: MessageInfo) => unknown

interface NetworkOptions extends NatsSettings {
  /** The id of this server. MUST be new at every start: its messages are numbered from 1 on. */
  self: string
  signatures: MessageSignatures
  log: Logger
  tracing?: Tracing
}

/** Whether a member of an earlier version answers. */
const PROOF_TIMEOUT_MS = 5_000

/** The subject on which a member is asked for its number, and gets the answers to its own questions. */
const sequenceSubject = (id: string): string => `sequence.${id}`

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
  readonly #nats: ReconnectingNats
  readonly #introduced = new Emitter<void>()
  readonly #refused: RefusedMessages
  readonly #replays: ReplayProtection
  readonly #unnumbered: UnnumberedSenders

  constructor(options: NetworkOptions) {
    const { self, log } = options
    this.#options = options
    this.#nats = new ReconnectingNats(options, log)
    this.#refused = new RefusedMessages(log)
    this.#replays = new ReplayProtection({
      self,
      ask: (id, nonce) => this.publish(sequenceSubject(id), { nonce }),
      onReplay: from => this.#refused.reportRepeated(from),
    })
    this.#unnumbered = new UnnumberedSenders((subject, body) =>
      this.#exchange(subject, { body }, PROOF_TIMEOUT_MS),
    )
    this.#nats.subscribe(this.#subjectOf(sequenceSubject(self)), message => this.#handleSequence(message))
  }

  get isConnected(): boolean {
    return this.#nats.isConnected
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

  /** How many messages were refused because they had been received before. */
  get repeated(): number {
    return this.#refused.repeated
  }

  /** Another member is known from now on, and this one to it: what they publish reaches each other. */
  onIntroduced(handler: () => void): () => void {
    return this.#introduced.on(handler)
  }

  /** After each time a connection was made, the first included. Messages of the time before may be lost. */
  onReconnect(handler: () => void): () => void {
    return this.#nats.onReconnect(handler)
  }

  /** Connects, and keeps trying. Resolves when connected, or after `waitMs` without success. */
  start(waitMs: number): Promise<void> {
    return this.#nats.start(waitMs)
  }

  /** Disconnects, after sending what was published before. */
  stop(): Promise<void> {
    return this.#nats.stop()
  }

  /** Never throws. Without a connection the message is lost. */
  publish(subject: string, message: unknown): void {
    const data = encode(this.#options.self, { seq: this.#replays.next(), body: message })
    if (isTooLarge(data))
      this.#options.log.error(
        { subject },
        'a message to the other servers is too large and was dropped: a fault of Lectern, please report it',
      )
    else this.#publish(this.#subjectOf(subject), data)
  }

  /** Also receives the own messages. What the handler throws is logged. */
  subscribe(subject: string, handler: MessageHandler): () => void {
    return this.#nats.subscribe(this.#subjectOf(subject), (message, receiver) => {
      const read = this.#read(message)
      if (read.is === 'unreadable') return
      const deliver = () => handler(read.body, this.#about(message, read.from))
      this.#admit(read, receiver, { isRequest: false, deliver })
    })
  }

  /** Answers requests. Refusals reach the requester; other failures are logged and reach it as `failed`. */
  serve(subject: string, handler: RequestHandler): () => void {
    return this.#nats.subscribe(this.#subjectOf(subject), (message, receiver) => {
      const { reply } = message
      if (!reply) return
      const read = this.#read(message)
      if (read.is === 'readable') {
        const deliver = () => void this.#answer(message, read, handler)
        this.#admit(read, receiver, { isRequest: true, deliver })
      }
      // Nothing is signed for whoever cannot sign.
      else if (read.why !== 'unsigned')
        this.#publish(reply, encode(this.#options.self, { re: 0, error: UNSUPPORTED }))
    })
  }

  /** The answer. Throws the Refusal of the other server, or a NetworkError; `no_responder` at once. */
  request(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    return this.#tracing.run(`request ${operationOf(subject)}`, { kind: 'client' }, async () => {
      const { traceparent } = this.#tracing
      const content = { body: message, ...(traceparent && { traceparent }) }
      const { error, body } = await this.#exchange(subject, content, timeoutMs)
      if (error) throw fromWire(error)
      return body
    })
  }

  get #tracing(): Tracing {
    return this.#options.tracing ?? noTracing
  }

  /** The answer, be it a refusal. */
  async #exchange(
    subject: string,
    content: Pick<Envelope, 'body' | 'traceparent'>,
    timeoutMs: number,
  ): Promise<Envelope> {
    const seq = this.#replays.next()
    const data = encode(this.#options.self, { seq, ...content })
    if (isTooLarge(data)) throw new NetworkError('too_large')
    const to = this.#subjectOf(subject)
    const signed = this.#options.signatures.sign(to, data)
    const answer = await this.#replays.vouch(seq, this.#nats.request(to, signed, timeoutMs))
    const read = this.#read(answer)
    if (read.is === 'unreadable')
      throw new NetworkError(read.why === 'newer_version' ? 'unsupported' : 'failed')
    // Earlier versions do not name the request that they answer.
    if (read.re !== undefined && read.re !== seq) throw new NetworkError('failed')
    return read
  }

  /** `subject`: with the namespace. */
  #publish(subject: string, data: string): void {
    if (this.isConnected) this.#nats.publish(subject, this.#options.signatures.sign(subject, data))
  }

  /** Delivers what was not received before. */
  #admit(
    { from, seq }: Envelope,
    receiver: Registration,
    { isRequest, deliver }: { isRequest: boolean; deliver: () => void },
  ): void {
    if (seq === undefined) this.#unnumbered.admit(from, this.#logging(receiver, deliver))
    else this.#replays.admit({ from, seq, isRequest, receiver, deliver })
  }

  /** A question for the own number, or an answer to an own question. */
  #handleSequence(message: Msg): void {
    const read = this.#read(message)
    if (read.is === 'unreadable' || read.seq === undefined) return
    const { from, seq } = read
    const body = read.body as { nonce: string } | SequenceReport
    if ('pending' in body) {
      if (this.#replays.receive(from, body)) this.#introduced.emit()
      return
    }
    const report = this.#replays.answer({ from, seq }, body.nonce)
    if (report) this.publish(sequenceSubject(from), report)
    else this.#refused.reportRepeated(from)
  }

  async #answer(message: Msg, read: Envelope, handler: RequestHandler): Promise<void> {
    const { self, log } = this.#options
    const reply = message.reply as string
    const re = read.seq ?? 0
    const about = this.#about(message, read.from)
    try {
      const { traceparent } = read
      const options = { kind: 'server', traceparent } as const
      const work = async () => handler(read.body, about)
      const body = await this.#tracing.run(`answer ${operationOf(about.subject)}`, options, work)
      const data = encode(self, { re, body })
      if (isTooLarge(data)) throw new NetworkError('too_large')
      this.#publish(reply, data)
    } catch (error) {
      const wire = toWire(error)
      if (wire.code === 'failed')
        log.error(
          { err: error, subject: about.subject },
          'a request of another server failed: it gets the error',
        )
      this.#publish(reply, encode(self, { re, error: wire }))
    }
  }

  /** Wraps a later delivery, whose errors nobody else catches. */
  #logging({ subject }: Registration, deliver: () => void): () => void {
    return () => {
      try {
        deliver()
      } catch (cause) {
        this.#options.log.error({ err: cause, subject }, 'a message of another server failed')
      }
    }
  }

  #read(message: Msg): ({ is: 'readable' } & Envelope) | Unreadable {
    const { text, isValid } = this.#options.signatures.read(message.subject, message.string())
    const read = decode(text, isValid)
    if (read.is === 'unreadable') this.#refused.report(message.subject, read)
    return read
  }

  #about({ subject }: Msg, from: string): MessageInfo {
    return { from, subject: subject.slice(this.#options.namespace.length + 1) }
  }

  #subjectOf(subject: string): string {
    return `${this.#options.namespace}.${subject}`
  }
}

const isTooLarge = (data: string): boolean => Buffer.byteLength(data) > MESSAGE_MAX_BYTES

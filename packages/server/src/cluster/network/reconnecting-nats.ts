import { backoffMs, Emitter, interruptibleSleep } from '@lectern/common'
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { connectTo, type NatsSettings } from './nats-connection.ts'
import { NetworkError } from './network-error.ts'

/** A subscription that outlives connections. */
export interface Registration {
  readonly subject: string
  readonly onMessage: (message: Msg, registration: Registration) => void
  subscription: Subscription | null
}

const RETRY = { firstMs: 100, maxMs: 2_000, jitter: 0.5 }

/** A connection to one of several NATS servers, made again for ever. It keeps its subscriptions meanwhile. */
export class ReconnectingNats {
  readonly #settings: NatsSettings
  readonly #log: Logger
  readonly #registrations = new Set<Registration>()
  readonly #connected = new Emitter<void>()
  readonly #stopping = new AbortController()
  #connection: NatsConnection | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(settings: NatsSettings, log: Logger) {
    this.#settings = settings
    this.#log = log
  }

  get isConnected(): boolean {
    return this.#connection !== null
  }

  /** After each time a connection was made, the first included. Messages of the time before may be lost. */
  readonly onReconnect = this.#connected.on

  /** Connects, and keeps trying. Resolves when connected, or after `waitMs` without success. */
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

  /** Disconnects, after sending what was published before. */
  async stop(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    if (connection) await flushed(connection)
    this.#stopping.abort()
    await connection?.close()
    await this.#running
  }

  /** Never throws. Without a connection the message is lost. */
  publish(subject: string, data: string): void {
    try {
      this.#connection?.publish(subject, data)
    } catch {
      // The connection was closed in this moment: the message is lost, as others are.
    }
  }

  /** Throws a NetworkError; `no_responder` and `disconnected` at once. */
  async request(subject: string, data: string, timeoutMs: number): Promise<Msg> {
    if (!this.#connection) throw new NetworkError('disconnected')
    try {
      return await this.#connection.request(subject, data, { timeout: timeoutMs })
    } catch (error) {
      throw failureOf(error)
    }
  }

  /** Subscribes. Errors of the handler are logged. */
  subscribe(subject: string, onMessage: Registration['onMessage']): () => void {
    const registration: Registration = { subject, onMessage, subscription: null }
    this.#registrations.add(registration)
    if (this.#connection) this.#subscribe(this.#connection, registration)
    return () => {
      this.#registrations.delete(registration)
      if (this.#connection) registration.subscription?.unsubscribe()
    }
  }

  #subscribe(connection: NatsConnection, registration: Registration): void {
    const { subject, onMessage } = registration
    const callback = (error: Error | null, message: Msg) => {
      if (error) return // of the connection, which reports it
      try {
        onMessage(message, registration)
      } catch (cause) {
        this.#log.error({ err: cause, subject }, 'a message of another server failed')
      }
    }
    registration.subscription = connection.subscribe(subject, { callback })
  }

  async #run(): Promise<void> {
    const { addresses } = this.#settings
    const { signal } = this.#stopping
    let failures = 0
    for (let i = 0; !signal.aborted; i++) {
      const address = addresses[i % addresses.length] as NatsSettings['addresses'][number]
      try {
        const connection = await connectTo(address, this.#settings)
        failures = 0
        await this.#use(connection, address.label)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (failures++ % 60 === 0)
          this.#log.warn(
            { nats: address.label, reason: code ?? message },
            'NATS cannot be reached; trying again',
          )
      }
      await interruptibleSleep(backoffMs(failures, RETRY), signal)
    }
  }

  /** Uses the connection until it is lost. */
  async #use(connection: NatsConnection, label: string): Promise<void> {
    const { signal } = this.#stopping
    if (signal.aborted) return connection.close()
    this.#connection = connection
    void this.#reportErrors(connection, label)
    for (const registration of this.#registrations) this.#subscribe(connection, registration)
    // Others can reach the subscriptions when `onReconnect` runs.
    await flushed(connection)
    if (!connection.isClosed()) {
      this.#log.info({ nats: label }, 'connected to NATS')
      this.#connected.emit()
    }
    const error = await connection.closed()
    this.#connection = null
    if (!signal.aborted)
      this.#log.warn({ nats: label, reason: error?.message ?? 'closed' }, 'the connection to NATS is lost')
  }

  /** Logs what NATS refuses on a connection that stays open; it would be lost without a word. The first error is enough. */
  async #reportErrors(connection: NatsConnection, label: string): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== 'error') continue
      this.#log.error(
        { nats: label, reason: status.error.message },
        'NATS reports an error, and what it refuses is lost: its user needs all permissions below the namespace',
      )
      return
    }
  }
}

/** Resolves when NATS has everything that was sent, or the connection is lost: a dead one never answers. */
const flushed = (connection: NatsConnection): Promise<unknown> =>
  Promise.race([connection.flush().catch(() => {}), connection.closed()])

function failureOf(error: unknown): NetworkError {
  const { name, cause } = error as Error
  const causes = [name, (cause as Error | undefined)?.name]
  if (causes.includes('NoResponders')) return new NetworkError('no_responder')
  return new NetworkError(causes.includes('TimeoutError') ? 'timeout' : 'disconnected', { cause: error })
}

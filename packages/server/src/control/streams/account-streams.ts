import { accountStream } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AccountEvent, AccountNotice, AccountStateSource } from './account-state.ts'
import { MonotonicEpochs } from './epochs.ts'
import type { EventBus } from './event-bus.ts'
import { OpenAccount } from './open-account.ts'
import { Stream, type StreamEncoder, type Subscriber } from './stream.ts'
import { type EventDelivery, Verification } from './verification.ts'

interface AccountStreamsOptions {
  bus: EventBus<AccountNotice>
  encoder: StreamEncoder
  clock: Clock
  log: Pick<Logger, 'warn'>
  /** Whether the bus may lose events, and how soon states are then verified. */
  delivery: EventDelivery
}

/** Many accounts are open at the same time, and a snapshot of one is small: fewer events than of a session. */
const WINDOW = { events: 200, characters: 131_072 }

/**
 * The streams of the accounts that are connected to this server. Events reach them over the event bus, whichever
 * server publishes them.
 */
export class AccountStreams {
  readonly #parts: AccountStreamsOptions
  readonly #epochs: MonotonicEpochs
  readonly #accounts = new Map<number, OpenAccount>()
  readonly #sources = new Map<string, AccountStateSource>()
  #lastVersion = 0
  readonly #verification: Verification<OpenAccount>

  constructor(parts: AccountStreamsOptions) {
    this.#parts = parts
    this.#verification = new Verification(parts.delivery, parts.clock)
    this.#epochs = new MonotonicEpochs(parts.clock)
  }

  get size(): number {
    return this.#accounts.size
  }

  /** Whether a connection of the account is on this server, or may still be resumed. */
  isOpen(userId: number): boolean {
    return this.#accounts.has(userId)
  }

  /** Adds a part of the state. MUST be called before the first account is opened. */
  addSource(name: string, source: AccountStateSource): void {
    this.#sources.set(name, source)
  }

  /**
   * Subscribes to the stream of the account, with its state loaded and its name as given. Fails as the store does; the
   * account is closed then, unless others have it open.
   */
  async subscribe(user: User, key: string, subscriber: Subscriber): Promise<Stream> {
    const account = this.#accounts.get(user.id) ?? this.#create(user)
    account.waiting += 1
    try {
      await account.ready
      account.stream.subscribers.set(key, subscriber)
    } finally {
      account.waiting -= 1
      this.#closeIfUnused(user.id, account)
    }
    if (account.state.display_name !== user.displayName) this.publishName(user)
    return account.stream
  }

  /** Publishes to all connections of the account, on every server. */
  publish(userId: number, event: AccountEvent): void {
    this.#parts.bus.publish(topicOf(userId), event)
  }

  /** Publishes to all connections of these accounts, on every server. */
  publishToMany(userIds: readonly number[], event: AccountEvent): void {
    this.#parts.bus.publishToMany(userIds.map(topicOf), event)
  }

  /** Publishes to the connections of the account on this server. */
  publishHere(userId: number, event: AccountEvent): void {
    this.#accounts.get(userId)?.receive(event)
  }

  /** The servers where the account is open read these keys of a source again, and publish what has changed. */
  refresh(userId: number, source: string, keys: string[]): void {
    this.#parts.bus.publish(topicOf(userId), { name: 'refresh', body: { source, keys } })
  }

  /** Streams that have another name receive `account.changed`. */
  publishName({ id, displayName }: Pick<User, 'id' | 'displayName'>): void {
    this.publish(id, { name: 'account.changed', body: { display_name: displayName } })
  }

  /** Removes the stream with its last subscriber. */
  unsubscribe(stream: Stream, key: string): void {
    stream.subscribers.delete(key)
    const userId = Number(stream.subject.id)
    const account = this.#accounts.get(userId)
    if (account?.stream === stream) this.#closeIfUnused(userId, account)
  }

  /** Verifies the states that have changed. MUST be called about every second. */
  tick(): void {
    for (const account of this.#accounts.values()) account.tick()
    for (const account of this.#verification.takeDue(this.#accounts.values())) void this.#verify(account)
  }

  async #verify(account: OpenAccount): Promise<void> {
    try {
      await account.verify()
    } catch (error) {
      this.#verification.repeat(account)
      this.#parts.log.warn({ err: error }, 'the state of an account could not be verified: retried')
    }
  }

  #create(user: User): OpenAccount {
    const id = String(user.id)
    const { bus, encoder, clock, log } = this.#parts
    const nextVersion = () => {
      this.#lastVersion = Math.max(this.#lastVersion + 1, clock())
      return this.#lastVersion
    }
    const account = new OpenAccount(
      { sources: this.#sources, log, nextVersion },
      user,
      state =>
        new Stream({
          id: accountStream(id),
          epoch: this.#epochs.next(),
          subject: { kind: 'account', id },
          encoder,
          state: () => (this.#accounts.get(user.id) === account ? state() : null),
          window: WINDOW,
        }),
      handler => bus.subscribe(topicOf(user.id), handler),
    )
    this.#accounts.set(user.id, account)
    return account
  }

  #closeIfUnused(userId: number, account: OpenAccount): void {
    if (account.waiting > 0 || account.stream.subscribers.size > 0) return
    account.close()
    if (this.#accounts.get(userId) === account) this.#accounts.delete(userId)
  }
}

const topicOf = (userId: number) => `account.${userId}`

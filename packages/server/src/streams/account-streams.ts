import {
  type AccountEventName,
  type AccountState,
  accountStream,
  type EventBody,
} from '@lectern/protocol/control'
import type { User } from '../accounts/ports.ts'
import type { Clock } from '../clock.ts'
import { MonotonicEpochs } from './epochs.ts'
import type { EventBus, Unsubscribe } from './event-bus.ts'
import { Stream, type StreamEncoder } from './stream.ts'

export type AccountEvent = { [N in AccountEventName]: { name: N; body: EventBody<N> } }[AccountEventName]

type Account = Pick<User, 'id' | 'displayName'>

interface OpenAccount {
  stream: Stream
  state: AccountState
  unsubscribe: Unsubscribe
}

interface Dependencies {
  bus: EventBus<AccountEvent>
  encoder: StreamEncoder
  clock: Clock
}

/**
 * The streams of the accounts that are connected to this server. Events reach them over the event bus, whichever
 * server publishes them.
 */
export class AccountStreams {
  readonly #deps: Dependencies
  readonly #epochs: MonotonicEpochs
  readonly #accounts = new Map<number, OpenAccount>()
  #lastVersion = 0

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.#epochs = new MonotonicEpochs(deps.clock)
  }

  get size(): number {
    return this.#accounts.size
  }

  /** The stream of an account, whose state becomes what the account is like now. */
  open(account: Account): Stream {
    const known = this.#accounts.get(account.id)
    if (!known) return this.#create(account).stream
    if (known.state.display_name !== account.displayName) this.publishName(account)
    return known.stream
  }

  /** To all connections of the account, on every server. */
  publish(userId: number, event: AccountEvent): void {
    this.#deps.bus.publish(topicOf(userId), event)
  }

  /** Streams that have another name receive `account.changed`. */
  publishName({ id, displayName }: Account): void {
    this.publish(id, { name: 'account.changed', body: { display_name: displayName } })
  }

  /** Removes the stream with its last subscriber. */
  unsubscribe(stream: Stream, key: string): void {
    stream.subscribers.delete(key)
    const userId = Number(stream.subject.id)
    const account = this.#accounts.get(userId)
    if (stream.subscribers.size > 0 || account?.stream !== stream) return
    account.unsubscribe()
    this.#accounts.delete(userId)
  }

  #create({ id, displayName }: Account): OpenAccount {
    const stream = new Stream({
      id: accountStream(String(id)),
      epoch: this.#epochs.next(),
      subject: { kind: 'account', id: String(id) },
      encoder: this.#deps.encoder,
      state: () => this.#accounts.get(id)?.state ?? null,
    })
    const unsubscribe = this.#deps.bus.subscribe(topicOf(id), event => this.#deliver(id, event))
    const account = { stream, state: { user_id: String(id), display_name: displayName }, unsubscribe }
    this.#accounts.set(id, account)
    return account
  }

  #deliver(userId: number, { name, body }: AccountEvent): void {
    const account = this.#accounts.get(userId)
    if (!account) return
    if (name === 'account.changed') {
      if (account.state.display_name === body.display_name) return
      account.state = { ...account.state, ...body }
    }
    this.#lastVersion = Math.max(this.#lastVersion + 1, this.#deps.clock())
    account.stream.publish({ name, body, version: String(this.#lastVersion) })
  }
}

const topicOf = (userId: number) => `account.${userId}`

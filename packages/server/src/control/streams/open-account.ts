import { type AccountState, reduceAccount } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { User } from '../../accounts/ports.ts'
import {
  type AccountEvent,
  type AccountNotice,
  type AccountStateSource,
  emptyAccountState,
} from './account-state.ts'
import type { Unsubscribe } from './event-bus.ts'
import type { Stream } from './stream.ts'

export type StateSources = ReadonlyMap<string, AccountStateSource>

interface OpenAccountOptions {
  sources: StateSources
  log: Pick<Logger, 'warn'>
  nextVersion: () => number
}

/** A read that an event overtook is repeated this often; then its result is used all the same. */
const REPEATS_MAX = 5
/** Each verification is a query: of a key that events concern all the time, only every fifth tick makes one. */
const TICKS_BETWEEN_VERIFICATIONS = 5

/** The state of one account that is connected to this server, and its changes. */
export class OpenAccount {
  readonly stream: Stream
  state: AccountState
  /** Settled when the state is loaded. */
  readonly ready: Promise<void>
  /** Callers that wait for `ready`: the account stays open for them. */
  waiting = 0
  readonly #parts: OpenAccountOptions
  readonly #user: User
  readonly #unsubscribe: Unsubscribe
  /** Notices that arrived while the state was being loaded. */
  #early: AccountNotice[] | null = []
  /** Keys to read again, by source, with the number of their repeats. */
  readonly #stale = new Map<string, Map<string, number>>()
  /** Keys to verify, by source. */
  readonly #unverified = new Map<string, Set<string>>()
  #ticks = 0
  /** The tick of the next verification of keys that were verified a moment ago. */
  readonly #nextVerification = new Map<string, number>()
  /** Keys that events concerned during the present read. */
  #overtaken: Set<string> | null = null
  #isClosed = false

  constructor(
    parts: OpenAccountOptions,
    user: User,
    stream: (state: () => AccountState) => Stream,
    subscribe: (handler: (notice: AccountNotice) => void) => Unsubscribe,
  ) {
    this.#parts = parts
    this.#user = user
    this.state = emptyAccountState(user)
    this.stream = stream(() => this.state)
    this.#unsubscribe = subscribe(notice => this.receive(notice))
    this.ready = this.#load(user)
  }

  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
  }

  /** Verifies what events have changed, except for what was verified a moment ago. */
  tick(): void {
    this.#ticks += 1
    for (const [id, tick] of this.#nextVerification)
      if (tick <= this.#ticks) this.#nextVerification.delete(id)
    for (const [source, keys] of this.#unverified) {
      for (const key of keys) {
        const id = `${source} ${key}`
        if (this.#nextVerification.has(id)) continue
        this.#nextVerification.set(id, this.#ticks + TICKS_BETWEEN_VERIFICATIONS)
        keys.delete(key)
        this.#markStale(source, key)
      }
    }
    this.#refreshSoon()
  }

  /** Compares the whole state with the store and publishes what differs. Fails as the store does. */
  async verify(): Promise<void> {
    await this.ready
    for (const [name, source] of this.#parts.sources) {
      const stored = source.keysOf(await source.load(this.#user))
      for (const key of new Set([...stored, ...source.keysOf(this.state)])) this.#markStale(name, key)
    }
    this.#refreshSoon()
  }

  /** An event for this server alone. */
  receive(notice: AccountNotice): void {
    if (this.#early) this.#early.push(notice)
    else this.#handle(notice)
  }

  async #load(user: User): Promise<void> {
    const parts = await Promise.all([...this.#parts.sources.values()].map(source => source.load(user)))
    this.state = Object.assign({ ...this.state }, ...parts)
    const early = this.#early ?? []
    this.#early = null
    for (const notice of early) this.#handle(notice)
    // State that was loaded before an early event may not contain it.
    this.tick()
  }

  #handle(notice: AccountNotice): void {
    if (notice.name === 'refresh') {
      for (const key of notice.body.keys) this.#markStale(notice.body.source, key)
      this.#refreshSoon()
    } else this.#publish(notice)
  }

  #publish(event: AccountEvent): void {
    if (event.name === 'account.changed' && event.body.display_name === this.state.display_name) return
    for (const [name, source] of this.#parts.sources) {
      const stale = source.staleAfter(event, this.state)
      if (!stale) continue
      this.#overtaken?.add(stale.key)
      if (stale.isUrgent) this.#markStale(name, stale.key)
      else this.#unverified.set(name, (this.#unverified.get(name) ?? new Set()).add(stale.key))
    }
    this.#apply(event)
    this.#refreshSoon()
  }

  #apply({ name, body }: AccountEvent): void {
    this.state = reduceAccount(this.state, { name, body })
    this.stream.publish({ name, body, version: String(this.#parts.nextVersion()) })
  }

  #markStale(source: string, key: string, repeats = 0): void {
    const keys = this.#stale.get(source) ?? new Map<string, number>()
    this.#stale.set(source, keys.set(key, repeats))
  }

  #isRefreshing = false

  /** All state that becomes stale until then is read together. */
  #refreshSoon(): void {
    if (this.#stale.size === 0 || this.#isRefreshing) return
    this.#isRefreshing = true
    setImmediate(() => void this.#refresh())
  }

  async #refresh(): Promise<void> {
    for (const [name, keys] of [...this.#stale]) {
      if (this.#isClosed) return
      this.#stale.delete(name)
      await this.#read(name, keys)
    }
    this.#isRefreshing = false
    this.#refreshSoon()
  }

  async #read(name: string, keys: Map<string, number>): Promise<void> {
    const source = this.#parts.sources.get(name)
    if (!source) return
    this.#overtaken = new Set()
    try {
      for (const { key, event } of await source.refresh([...keys.keys()], this.state)) {
        const repeats = keys.get(key) ?? 0
        // The event may be missing in what was read.
        if (this.#overtaken.has(key) && repeats < REPEATS_MAX) this.#markStale(name, key, repeats + 1)
        else this.#apply(event)
      }
    } catch (error) {
      this.#parts.log.warn(
        { err: error, source: name },
        'the state of an account could not be read: its devices may show an older one until the next attempt',
      )
      const unverified = this.#unverified.get(name) ?? new Set()
      this.#unverified.set(name, new Set([...unverified, ...keys.keys()]))
      for (const key of keys.keys()) this.#nextVerification.delete(`${name} ${key}`)
    } finally {
      this.#overtaken = null
    }
  }
}

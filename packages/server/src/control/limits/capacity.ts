import { Refusal, type UserKind } from '@lectern/protocol'
import type { Clock } from '../../platform/clock.ts'
import { type Networks, networksOf } from '../../platform/networks.ts'
import { EVICTABLE_AFTER_MS, RESERVED_SOCKETS, WORKER_FACTOR } from './constants.ts'

export interface CapacityLimits {
  /** Connections of people that have logged in, on the whole server. */
  total: number
  perAccount: number
  /** Null: no limit. */
  perAddress: number | null
}

/** A site with many networks has more people than one network. */
const WIDE_FACTOR = 2

/** A worker has a connection for each job besides its own, and several workers may share an account. */
export const connectionsOf = (kind: UserKind, perAccount: number) =>
  kind === 'worker' ? perAccount * WORKER_FACTOR : perAccount

interface Waiting {
  networks: Networks
  sinceMs: number
  evict: () => void
}

/** The place of one socket in the limits, from its opening to its end. */
export interface SocketSlot {
  /** The account is known now. Throws `too_many_connections` or `server_full`. */
  login(user: { id: number; kind: UserKind }): void
  /** Safe to repeat. */
  release(): void
}

/**
 * How many sockets there may be: before the login for each address, after it for each account and address
 * (rules W10 to W13). Workers count for their account only, so that a full server still takes its recorder.
 */
export class Capacity {
  readonly #limits: CapacityLimits
  readonly #clock: Clock
  /** Before their login, by narrow network, the oldest first. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  readonly #people = new Map<string, number>()
  readonly #accounts = new Map<number, number>()
  #refused = 0
  #waitingCount = 0
  #peopleCount = 0

  constructor(limits: CapacityLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Refusals since the previous call. */
  takeRefused(): number {
    const refused = this.#refused
    this.#refused = 0
    return refused
  }

  /** Throws `too_many_connections` or `server_full`. */
  ensureCapacity(address: string): void {
    this.#findEvictable(networksOf(address))
  }

  /** A new socket; `evict` is called when it has to give way to others. Throws as ensureCapacity. */
  take(address: string, evict: () => void): SocketSlot {
    const networks = networksOf(address)
    const oldest = this.#findEvictable(networks)
    if (oldest) {
      this.#stopWaiting(oldest)
      oldest.evict()
    }
    const waiting = { networks, sinceMs: this.#clock(), evict }
    const others = this.#waiting.get(networks.narrow) ?? new Set()
    this.#waiting.set(networks.narrow, others.add(waiting))
    this.#waitingCount += 1
    let leave = () => this.#stopWaiting(waiting)
    return {
      login: user => {
        const logout = this.#admit(user, networks)
        this.#stopWaiting(waiting)
        leave = logout
      },
      release: () => {
        leave()
        leave = () => {}
      },
    }
  }

  /** The socket before its login that a new one evicts; null when there is capacity for both. */
  #findEvictable({ narrow }: Networks): Waiting | null {
    const { total, perAddress } = this.#limits
    const neighbours = this.#waiting.get(narrow)
    const [oldest] = neighbours ?? []
    if (perAddress !== null && neighbours && neighbours.size >= Math.max(1, Math.floor(perAddress / 2))) {
      if (oldest && this.#clock() - oldest.sinceMs >= EVICTABLE_AFTER_MS) return oldest
      throw this.#refusal(
        'too_many_connections',
        'Too many connections of this address wait for their login.',
      )
    }
    if (this.#waitingCount < Math.max(0, total - this.#peopleCount) + RESERVED_SOCKETS) return null
    const most = this.#mostWaiting()
    if (most && most.size > (neighbours?.size ?? 0)) return [...most][0] as Waiting
    throw this.#refusal('server_full')
  }

  #mostWaiting(): Set<Waiting> | null {
    let most: Set<Waiting> | null = null
    for (const each of this.#waiting.values()) if (each.size > (most?.size ?? 0)) most = each
    return most
  }

  #stopWaiting(waiting: Waiting): void {
    const { narrow } = waiting.networks
    const others = this.#waiting.get(narrow)
    if (!others?.delete(waiting)) return
    this.#waitingCount -= 1
    if (others.size === 0) this.#waiting.delete(narrow)
  }

  /** Returns the way out. */
  #admit({ id, kind }: { id: number; kind: UserKind }, networks: Networks): () => void {
    const { total, perAccount } = this.#limits
    const account = { counts: this.#accounts, key: id, max: connectionsOf(kind, perAccount) }
    if (!hasRoom(account))
      throw this.#refusal('too_many_connections', 'This account has too many connections.')
    if (kind === 'worker') return count(account)

    const counted = this.#networkCounts(networks)
    if (!counted.every(hasRoom))
      throw this.#refusal('too_many_connections', 'Too many connections come from this address.')
    if (this.#peopleCount >= total) throw this.#refusal('server_full')
    this.#peopleCount += 1
    const out = [count(account), ...counted.map(count)]
    return () => {
      this.#peopleCount -= 1
      for (const leave of out) leave()
    }
  }

  #refusal(code: 'too_many_connections' | 'server_full', message?: string): Refusal {
    this.#refused += 1
    return new Refusal(code, message)
  }

  #networkCounts({ narrow, wide }: Networks): Counted<string>[] {
    const { perAddress } = this.#limits
    if (perAddress === null) return []
    const counts = this.#people
    const own = { counts, key: narrow, max: perAddress }
    return wide === null ? [own] : [own, { counts, key: wide, max: perAddress * WIDE_FACTOR }]
  }
}

interface Counted<Key> {
  counts: Map<Key, number>
  key: Key
  max: number
}

const hasRoom = <Key>({ counts, key, max }: Counted<Key>) => (counts.get(key) ?? 0) < max

function count<Key>({ counts, key }: Counted<Key>): () => void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
  return () => {
    const left = (counts.get(key) ?? 0) - 1
    if (left > 0) counts.set(key, left)
    else counts.delete(key)
  }
}

import { singleFlight, withTimeout } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { AcquireResult, LeasedSession, SessionLeases } from '../../sessions/leases.ts'
import type { SessionLease, SessionOwner, StoredSession } from '../../sessions/ports.ts'
import type { LeaseStore } from '../../sessions/stores/session-leases.ts'

/** How long a lease lasts by the clock of the database. */
export const LEASE_MS = 3_000
/** How long a server acts after the start of a renewal, by its own clock: less, because clocks differ in speed. */
export const ACT_MS = 2_500
/** Without an answer for this long, the database counts as away; a later answer still counts. */
const RENEW_TIMEOUT_MS = 1_000
/** A server that is not sure refuses everything; for so long its people stay with it, in case the renewal succeeds. */
const DROP_AFTER_MS = 2_000
/** The same for a server that knows of no other: no other server can serve its participants, unless one has just started. */
const DROP_ALONE_AFTER_MS = 30_000
/** How long a server that has reached the database again declares nobody dead: longer than reports of others are old. */
const PATIENCE_MS = 2 * LEASE_MS
/**
 * The difference between the clock of the database and its expected time from which on it counts as set. Below LEASE_MS
 * - ACT_MS: what is not noticed ends no lease whose server acts.
 */
const CLOCK_TOLERANCE_MS = 250
/** The vacant sessions that one statement acquires: others get their share. */
const VACANT_AT_ONCE = 250

type Renewal = NonNullable<Awaited<ReturnType<LeaseStore['renew']>>>

/** The time of a renewal: its begin and its answer by the clock of this server, and itself by the clock of the database. */
interface RenewalTimes {
  startedAt: number
  answeredAt: number
  atMs: number
}

export interface DatabaseLeasesParts {
  store: LeaseStore
  server: { id: string; address: string }
  /**
   * Whether one of these servers may reach the database while this one does not: it could take the sessions over. MUST be
   * true when that is not known of each of them.
   */
  mayReachStore: (serverIds: readonly string[]) => boolean
  /** A clock that nobody sets. */
  monotonicMs: () => number
  log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/**
 * The leases of several servers with one database (rules LEASE-1 to LEASE-11). One lease of the server stands for all its
 * sessions, so that one statement a second renews them all. A lease that others have declared dead is never renewed; the
 * server registers again, under another id.
 */
export class DatabaseLeases implements SessionLeases {
  readonly #parts: DatabaseLeasesParts
  /** The sessions of this server, by id. */
  readonly #held = new Map<number, SessionLease>()
  /** Null: not registered, or dead. */
  #leaseId: string | null = null
  #registrations = 0
  /** The other servers at the last renewal. */
  #others: readonly string[] = []
  /** Until when this server acts, by its own clock. */
  #actsUntil = Number.NEGATIVE_INFINITY
  #unsureSince: number | null = null
  #isStoreReachable = true
  /** From when on this server declares others dead. */
  #expiresOthersFrom = 0
  /** The last renewal that was answered. */
  #renewed: RenewalTimes | null = null
  /** An acquisition or a release failed, which may have happened all the same. */
  #mayHoldUnknown = false
  #acquiring = 0
  #releasing: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(parts: DatabaseLeasesParts) {
    this.#parts = parts
  }

  /** Whether the last renewal has reached the database. */
  get isStoreReachable(): boolean {
    return this.#isStoreReachable
  }

  /** The ids of the other servers that are registered, as of the last renewal. */
  get others(): readonly string[] {
    return this.#others
  }

  get owner(): string | null {
    return this.#leaseId
  }

  get serverId(): string {
    return this.#parts.server.id
  }

  async acquire(tag: string, atMs: number): Promise<AcquireResult> {
    const { store } = this.#parts
    const leaseId = await this.#requireLease()
    return this.#track(async () => {
      let acquired = await store.acquire(tag, atMs, leaseId)
      if (
        'leaseId' in acquired &&
        this.#mayExpireOthers &&
        (await store.expire(acquired.leaseId, this.#knownAtMs))
      )
        acquired = await store.acquire(tag, atMs, leaseId)
      return 'leaseId' in acquired ? { is: 'held' } : { is: 'acquired', ...this.#hold(acquired, leaseId) }
    })
  }

  async acquireVacant(): Promise<LeasedSession[]> {
    const { store, log } = this.#parts
    const leaseId = this.#leaseId
    if (leaseId === null || this.#isStopped || !this.#isValid) return []
    if (this.#mayHoldUnknown && this.#acquiring === 0) this.#releasing = this.#releaseUnknown(leaseId)
    if (this.#mayExpireOthers) await store.expireOthers(leaseId, this.#knownAtMs)
    const leased = await this.#track(async () => {
      const stored = await store.acquireVacant(leaseId, VACANT_AT_ONCE)
      return stored.map(each => this.#hold(each, leaseId))
    })
    if (leased.length > 0) log.info({ sessions: leased.length }, 'took over sessions that no server ran')
    return leased
  }

  async renew(): Promise<void> {
    if (this.#isStopped) return
    try {
      if (this.#leaseId !== null) await this.#renewLease(this.#leaseId)
      if (this.#leaseId === null) await this.#register()
    } catch (error) {
      if (this.#isStoreReachable)
        this.#parts.log.warn({ err: error }, 'the database does not answer: the leases of sessions wait')
      this.#isStoreReachable = false
      this.#extendAlone()
    }
    this.#dropIfUnsure()
  }

  check(lease: SessionLease): 'held' | 'unsure' | 'lost' {
    const held = this.#held.get(lease.sessionId)
    if (held?.incarnation !== lease.incarnation || held.owner !== lease.owner) return 'lost'
    return this.#isValid ? 'held' : 'unsure'
  }

  async release(lease: SessionLease): Promise<void> {
    if (this.#held.get(lease.sessionId)?.incarnation === lease.incarnation) this.#held.delete(lease.sessionId)
    if (lease.owner !== this.#leaseId || this.#isStopped) return
    try {
      await this.#parts.store.release(lease)
    } catch {
      this.#mayHoldUnknown = true
    }
  }

  async releaseAll(): Promise<void> {
    const leaseId = this.#leaseId
    this.#isStopped = true
    this.#held.clear()
    this.#leaseId = null
    if (leaseId !== null) await this.#parts.store.unregister(leaseId)
  }

  async resume(): Promise<void> {
    this.#isStopped = false
    await this.renew()
  }

  findOwner(session: { tag: string } | { sessionId: number }): Promise<SessionOwner | null> {
    return this.#parts.store.findOwner(session)
  }

  listOpen(tags: readonly string[]): Promise<string[]> {
    return this.#parts.store.listOpen(tags)
  }

  /** Deletes what dead servers have left. Call it about every hour. */
  sweep(): Promise<void> {
    return this.#parts.store.sweep()
  }

  get #isValid(): boolean {
    return this.#parts.monotonicMs() < this.#actsUntil
  }

  /** The time of the database at the last renewal. A statement that arrives late ends nothing that was alive then. */
  get #knownAtMs(): number {
    return this.#renewed?.atMs ?? 0
  }

  get #mayExpireOthers(): boolean {
    return this.#isStoreReachable && this.#parts.monotonicMs() >= this.#expiresOthersFrom
  }

  async #renewLease(leaseId: string): Promise<void> {
    const startedAt = this.#parts.monotonicMs()
    const renewal = this.#parts.store.renew(leaseId, LEASE_MS).then(renewed => {
      if (this.#leaseId !== leaseId) return
      if (renewed) this.#extend(startedAt, renewed)
      else this.#dropAll('other servers have declared this one dead: its sessions stop here')
    })
    await withTimeout(renewal, RENEW_TIMEOUT_MS, timedOut)
  }

  readonly #register = singleFlight(async () => {
    const { store, server } = this.#parts
    const id = `${server.id}.${++this.#registrations}`
    const lease = { id, serverId: server.id, address: server.address }
    await withTimeout(store.register(lease, LEASE_MS), RENEW_TIMEOUT_MS, timedOut)
    this.#leaseId = id
    this.#waitToExpireOthers(LEASE_MS)
    await this.#renewLease(id)
  })

  #extend(startedAt: number, { others, atMs }: Renewal): void {
    const isLate = Number.isFinite(this.#actsUntil) && startedAt >= this.#actsUntil
    const times = { startedAt, answeredAt: this.#parts.monotonicMs(), atMs }
    const isClockSet = this.#renewed !== null && differs(this.#renewed, times)
    if (isClockSet)
      this.#parts.log.warn('the clock of the database was set: for a while, no server is declared dead')
    // The database was away, its clock was set, or this server hung: others get the time to renew what has run out meanwhile.
    if (!this.#isStoreReachable || isLate || isClockSet) this.#waitToExpireOthers(PATIENCE_MS)
    this.#others = others
    if (startedAt >= (this.#renewed?.startedAt ?? Number.NEGATIVE_INFINITY)) this.#renewed = times
    this.#isStoreReachable = true
    this.#actsUntil = Math.max(this.#actsUntil, startedAt + ACT_MS)
  }

  #waitToExpireOthers(ms: number): void {
    this.#expiresOthersFrom = Math.max(this.#expiresOthersFrom, this.#parts.monotonicMs() + ms)
  }

  /**
   * While no server reaches the database, none can declare this one dead. Each has to report that before the time of this
   * one is over, again and again; and one that reaches the database again waits before it declares others dead.
   */
  #extendAlone(): void {
    if (this.#leaseId === null || !this.#isValid || this.#parts.mayReachStore(this.#others)) return
    this.#actsUntil = this.#parts.monotonicMs() + ACT_MS
  }

  #dropIfUnsure(): void {
    const now = this.#parts.monotonicMs()
    this.#unsureSince = this.#held.size === 0 || this.#isValid ? null : (this.#unsureSince ?? now)
    if (this.#unsureSince === null || !this.#parts.mayReachStore(this.#others)) return
    if (now - this.#unsureSince >= (this.#others.length > 0 ? DROP_AFTER_MS : DROP_ALONE_AFTER_MS))
      this.#dropAll('another server may have taken over the sessions of this one: they stop here')
  }

  #dropAll(message: string): void {
    if (this.#held.size > 0) this.#parts.log.error({ sessions: this.#held.size }, message)
    this.#held.clear()
    this.#leaseId = null
    this.#actsUntil = Number.NEGATIVE_INFINITY
    this.#unsureSince = null
  }

  /** Throws when this server is not registered. */
  async #requireLease(): Promise<string> {
    if (this.#leaseId === null || !this.#isValid) await this.renew()
    if (this.#leaseId === null || !this.#isValid) throw new Refusal('temporarily_unavailable')
    return this.#leaseId
  }

  #hold(stored: StoredSession, owner: string): LeasedSession {
    const { sessionId, incarnation } = stored
    const lease = { sessionId, incarnation, owner }
    const known = this.#held.get(sessionId)?.incarnation ?? 0
    if (owner === this.#leaseId && incarnation > known) this.#held.set(sessionId, lease)
    return { lease, stored }
  }

  async #track<T>(acquire: () => Promise<T>): Promise<T> {
    this.#acquiring += 1
    try {
      await this.#releasing
      return await acquire()
    } catch (error) {
      this.#mayHoldUnknown = true
      throw error
    } finally {
      this.#acquiring -= 1
    }
  }

  /** Sessions that were acquired although the database reported a failure. */
  async #releaseUnknown(leaseId: string): Promise<void> {
    this.#mayHoldUnknown = false
    try {
      await this.#parts.store.releaseExcept(leaseId, [...this.#held.keys()])
    } catch {
      this.#mayHoldUnknown = true
    }
  }
}

/** Whether the time between two renewals, in any order, is another one for the database than for this server. */
function differs(one: RenewalTimes, other: RenewalTimes): boolean {
  const passedMs = other.atMs - one.atMs
  return (
    passedMs < other.startedAt - one.answeredAt - CLOCK_TOLERANCE_MS ||
    passedMs > other.answeredAt - one.startedAt + CLOCK_TOLERANCE_MS
  )
}

const timedOut = () => new Error('the database did not renew the lease in time')

import type { RandomChoices } from '@lectern/common/testing'
import { createLog } from '../../platform/log.ts'
import type { LeasedSession } from '../../sessions/leases.ts'
import type { SessionLease } from '../../sessions/ports.ts'
import type { LeaseStore } from '../../sessions/stores/session-leases.ts'
import { DatabaseLeases } from '../leases/database-leases.ts'

/** Real time passes only for the database; a server's own clock runs faster or slower, from any time on. */
export interface SimulatedTime {
  nowMs: number
}

const TICK_MS = 1_000

/** A server with a database that is slow, or does not answer, and which may hang. */
export class SimulatedServer {
  readonly id: string
  readonly leases: DatabaseLeases
  /** The sessions that the server believes to run. */
  readonly believed = new Map<number, LeasedSession>()
  isPartitioned = false
  isNetworkDown = false
  pausedUntilMs = 0
  isDead = false
  readonly #time: SimulatedTime
  readonly #random: RandomChoices
  #nextTickMs: number

  constructor(
    id: string,
    store: LeaseStore,
    time: SimulatedTime,
    random: RandomChoices,
    mayReachStore: (self: SimulatedServer, others: readonly string[]) => boolean,
  ) {
    this.id = id
    this.#time = time
    this.#random = random
    this.#nextTickMs = time.nowMs
    const speed = 0.95 + random.below(100) / 1_000
    const offset = random.below(1_000_000)
    this.leases = new DatabaseLeases({
      store: this.#slow(store),
      server: { id, address: `http://${id}` },
      mayReachStore: others => mayReachStore(this, others),
      monotonicMs: () => offset + time.nowMs * speed,
      log: createLog('silent'),
    })
  }

  get isRunning(): boolean {
    return !this.isDead && this.#time.nowMs >= this.pausedUntilMs
  }

  /** The leases under which it would act right now. */
  acting(): SessionLease[] {
    if (!this.isRunning) return []
    return [...this.believed.values()]
      .map(each => each.lease)
      .filter(lease => this.leases.check(lease) === 'held')
  }

  /** Does the work of a server each second, if that is due. */
  async tick(): Promise<void> {
    if (!this.isRunning || this.#time.nowMs < this.#nextTickMs) return
    this.#nextTickMs = this.#time.nowMs + TICK_MS
    await this.leases.renew()
    for (const { lease } of [...this.believed.values()])
      if (this.leases.check(lease) === 'lost') this.believed.delete(lease.sessionId)
    for (const leased of await this.leases.acquireVacant().catch(() => [])) this.#believe(leased)
  }

  async join(tag: string): Promise<void> {
    const result = await this.leases.acquire(tag, this.#random.below(1e9)).catch(() => null)
    if (result?.is === 'acquired') this.#believe(result)
  }

  #believe(leased: LeasedSession): void {
    const known = this.believed.get(leased.lease.sessionId)
    if (known && known.lease.incarnation >= leased.lease.incarnation) return
    if (this.leases.check(leased.lease) !== 'lost') this.believed.set(leased.lease.sessionId, leased)
  }

  /** Calls wait before and after, do not reach the database, or reach it and are not answered. */
  #slow(store: LeaseStore): LeaseStore {
    const wait = async () => {
      for (let turns = this.#random.below(this.#random.chance(0.05) ? 30 : 3); turns > 0; turns--)
        await new Promise(setImmediate)
      while (!this.isDead && !this.isRunning) await new Promise(setImmediate)
      if (this.isDead) await new Promise(() => {})
    }
    const entries = Object.entries(store).map(([name, call]) => [
      name,
      async (...args: unknown[]) => {
        await wait()
        if (this.isPartitioned) throw new Error('no connection')
        const answer = await (call as (...args: unknown[]) => Promise<unknown>)(...args)
        await wait()
        if (this.isPartitioned || this.#random.chance(0.01)) throw new Error('the connection broke')
        return answer
      },
    ])
    return Object.fromEntries(entries) as LeaseStore
  }
}

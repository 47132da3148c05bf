import { fuzzSeeds, type RandomChoices, randomChoices, seededRandom } from '@lectern/common/testing'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { openMainStore } from '../../platform/db/open.ts'
import { createLog } from '../../platform/log.ts'
import type { SessionLease } from '../../sessions/ports.ts'
import { sessionStore } from '../../sessions/stores/conference-sessions.ts'
import type { LeaseStore } from '../../sessions/stores/session-leases.ts'
import { leaseStore } from '../../sessions/stores/session-leases.ts'
import { createDatabaseClock } from '../testing/database-clock.ts'
import { SimulatedServer } from '../testing/simulated-servers.ts'
import { ACT_MS, DatabaseLeases, LEASE_MS } from './database-leases.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function openDatabase() {
  const main = await openMainStore(':memory:')
  closers.push(() => main.close())
  const clock = await createDatabaseClock(main.db as never)
  return { db: main.db, clock, store: leaseStore(main.db, clock.nowMs), sessions: sessionStore(main.db) }
}

/** Servers whose own clocks agree with the clock of the database. */
async function openServers() {
  const { clock, store, sessions } = await openDatabase()
  const state = { now: 0, isStoreAway: false, mayOthersReachStore: true }
  const failing = new Proxy(store, {
    get: (target, name: keyof LeaseStore) =>
      state.isStoreAway ? () => Promise.reject(new Error('away')) : target[name],
  })
  const open = (id: string, leaseStore: LeaseStore = store) =>
    new DatabaseLeases({
      store: leaseStore,
      server: { id, address: `http://${id}` },
      mayReachStore: () => state.mayOthersReachStore,
      monotonicMs: () => state.now,
      log: createLog('silent'),
    })
  const [a, b] = [open('a', failing), open('b')]
  const pass = async (ms: number, ...servers: DatabaseLeases[]) => {
    for (let left = ms; left > 0; left -= 500) {
      const step = Math.min(left, 500)
      state.now += step
      await clock.pass(step)
      for (const server of servers) await server.renew()
    }
  }
  await pass(1, a, b)
  const acquire = async (server: DatabaseLeases, tag = 'tag') => {
    const result = await server.acquire(tag, 1)
    return result.is === 'acquired' ? result.lease : null
  }
  /** The clock of the database jumps; no time passes. */
  const setClock = (ms: number) => clock.pass(ms)
  return { a, b, state, pass, acquire, sessions, open, setClock }
}

describe('the leases of several servers', () => {
  it('LEASE-1 are held by one server, which the others find', async () => {
    const { a, b, pass, acquire } = await openServers()
    const lease = await acquire(a)
    await pass(20_000, a, b)
    expect(await acquire(b)).toBeNull()
    expect(a.check(lease as SessionLease)).toBe('held')
    expect(await b.findOwner({ tag: 'tag' })).toMatchObject({ is: 'server', id: 'a' })
    expect(await b.acquireVacant()).toEqual([])
  })

  it('LEASE-2 are taken over after a server died, not before its lease has run out', async () => {
    const { a, b, pass, acquire } = await openServers()
    await pass(10_000, a, b)
    const lease = await acquire(a)
    await pass(LEASE_MS - 1, b)
    expect(await acquire(b)).toBeNull()
    await pass(1, b)
    expect(await acquire(b)).toMatchObject({ sessionId: lease?.sessionId, incarnation: 2 })
  })

  it('LEASE-5 are taken over even if nobody joins', async () => {
    const { a, b, pass, acquire } = await openServers()
    for (const tag of ['x', 'y']) await acquire(a, tag)
    await pass(LEASE_MS, b)
    const taken = await b.acquireVacant()
    expect(taken.map(({ stored }) => stored.tag)).toEqual(['x', 'y'])
    expect(await b.acquireVacant()).toEqual([])
  })

  it('LEASE-3 are uncertain after a pause, and lost if another server has taken over', async () => {
    const { a, b, pass, acquire } = await openServers()
    const lease = (await acquire(a)) as SessionLease
    await pass(ACT_MS, b)
    expect(a.check(lease)).toBe('unsure')
    await a.renew()
    expect(a.check(lease)).toBe('held')
    await pass(LEASE_MS, b)
    expect(a.check(lease)).toBe('unsure')
    await acquire(b)
    await a.renew()
    expect(a.check(lease)).toBe('lost')
    // Server a has registered again.
    expect(await acquire(a, 'other')).not.toBeNull()
  })

  it('LEASE-8 continue while no server reaches the database', async () => {
    const { a, state, pass, acquire } = await openServers()
    const lease = (await acquire(a)) as SessionLease
    Object.assign(state, { isStoreAway: true, mayOthersReachStore: false })
    await pass(20_000, a)
    expect(a.check(lease)).toBe('held')
    expect(a.isStoreReachable).toBe(false)
    await expect(acquire(a, 'new')).rejects.toThrow()
    state.isStoreAway = false
    await pass(500, a)
    expect(a.check(lease)).toBe('held')
    expect(a.isStoreReachable).toBe(true)
  })

  it('LEASE-8 of others are not taken over immediately after the database has returned', async () => {
    const { a, b, state, pass, acquire, open } = await openServers()
    const lease = (await acquire(b)) as SessionLease
    await pass(20_000) // nobody renews
    await a.renew()
    expect(await acquire(a)).toBeNull()
    const late = open('late')
    await late.renew()
    expect(await acquire(late)).toBeNull()
    await b.renew()
    expect(b.check(lease)).toBe('held')
    await pass(LEASE_MS, a, late)
    await b.renew()
    expect(b.check(lease)).toBe('held')
    await pass(2 * LEASE_MS, a, late)
    expect(await acquire(a)).not.toBeNull()
    expect(state.mayOthersReachStore).toBe(true)
  })

  it('LEASE-3 are dropped by a server if it alone does not reach the database', async () => {
    const { a, b, state, pass, acquire } = await openServers()
    await pass(500, a, b)
    const lease = (await acquire(a)) as SessionLease
    state.isStoreAway = true
    await pass(ACT_MS, a, b)
    expect(a.check(lease)).toBe('unsure')
    await pass(2_500, a, b)
    expect(a.check(lease)).toBe('lost')
    expect(await acquire(b)).toMatchObject({ incarnation: 2 })
  })

  it('LEASE-9 stay with the only server, however late it is', async () => {
    const { a, b, state, pass, acquire } = await openServers()
    const lease = (await acquire(a)) as SessionLease
    await b.releaseAll()
    await pass(500, a)
    await pass(60_000) // paused
    state.isStoreAway = true // and slow, when it goes on
    await pass(20_000, a)
    expect(a.check(lease)).toBe('unsure')
    state.isStoreAway = false
    expect(await a.acquireVacant()).toEqual([])
    await pass(500, a)
    expect(a.check(lease)).toBe('held')
    expect(await a.acquireVacant()).toEqual([])
    expect(a.check(lease)).toBe('held')
  })

  it('LEASE-3 are dropped by the only server after half a minute, for another one may have started', async () => {
    const { a, b, state, pass, acquire } = await openServers()
    const lease = (await acquire(a)) as SessionLease
    await b.releaseAll()
    await pass(500, a)
    state.isStoreAway = true
    await pass(ACT_MS + 29_000, a)
    expect(a.check(lease)).toBe('unsure')
    await pass(2_000, a)
    expect(a.check(lease)).toBe('lost')
  })

  it('LEASE-11 stay with their servers when the clock of the database is set back', async () => {
    const { a, b, pass, acquire, setClock } = await openServers()
    await pass(10_000, a, b)
    const lease = (await acquire(a)) as SessionLease
    await setClock(-60_000)
    for (let i = 0; i < 30; i++) {
      await pass(1_000, a, b)
      expect(await b.acquireVacant()).toEqual([])
      expect(await acquire(b)).toBeNull()
      expect(a.check(lease)).toBe('held')
    }
    // One that dies is found as before.
    await pass(LEASE_MS, b)
    expect(await acquire(b)).toMatchObject({ incarnation: 2 })
  })

  it('LEASE-11 stay with their servers when the clock of the database is set forward', async () => {
    const { a, b, pass, acquire, setClock } = await openServers()
    await pass(10_000, a, b)
    const lease = (await acquire(a)) as SessionLease
    await setClock(60_000)
    await pass(500, b)
    expect(await b.acquireVacant()).toEqual([])
    await pass(500, a, b)
    expect(a.check(lease)).toBe('held')
    await pass(3 * LEASE_MS, b)
    expect(await acquire(b)).toMatchObject({ incarnation: 2 })
  })

  it('LEASE-11 of a server that died before the clock of the database was set back are taken over, too', async () => {
    const { a, b, pass, acquire, setClock } = await openServers()
    await pass(10_000, a, b)
    await acquire(a)
    await setClock(-3_600_000)
    await pass(4 * LEASE_MS, b)
    expect(await acquire(b)).toMatchObject({ incarnation: 2 })
  })

  it('LEASE-6 are handed over when a server stops, which acquires nothing afterwards', async () => {
    const { a, b, acquire } = await openServers()
    const lease = (await acquire(a)) as SessionLease
    await a.releaseAll()
    expect(a.check(lease)).toBe('lost')
    expect(await acquire(b)).toMatchObject({ incarnation: 2 })
    await expect(acquire(a)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    expect(await a.acquireVacant()).toEqual([])
  })

  it('LEASE-5 are found again if the response to an acquisition was lost', async () => {
    const { b, state, pass, acquire, open } = await openServers()
    expect(state.isStoreAway).toBe(false)
    const { store } = await openDatabase()
    const breaking = {
      ...store,
      acquire: (...args: Parameters<LeaseStore['acquire']>) =>
        store.acquire(...args).then(() => Promise.reject(new Error('the connection broke'))),
    }
    const c = open('c', breaking)
    await c.renew()
    await expect(acquire(c)).rejects.toThrow('broke')
    const [found] = await c.acquireVacant()
    expect(found?.stored).toMatchObject({ tag: 'tag', incarnation: 2 })
    expect(c.check(found?.lease as SessionLease)).toBe('held')
    await pass(1, b)
  })
})

const STEPS = 600
const TAGS = ['x', 'y', 'z']

/** A history of servers that die, hang, lose their database or each other, and of a clock that is set. Throws where a rule is broken. */
async function simulate(random: RandomChoices) {
  const { db, clock, store, sessions } = await openDatabase()
  const time = { nowMs: 0 }
  const servers: SimulatedServer[] = []
  const incarnations = new Map<number, number>()
  const work = new Set<Promise<void>>()
  const run = (promise: Promise<void>) => {
    work.add(promise)
    void promise.finally(() => work.delete(promise))
  }
  /** The other servers' reports: whether their last renewal arrived. Of those that report nothing, nothing is known. */
  const mayReachStore = (self: SimulatedServer, others: readonly string[]) =>
    self.isNetworkDown ||
    servers.some(each => {
      const isReachable = each.isRunning && !each.isNetworkDown
      if (each === self) return false
      return isReachable ? each.leases.isStoreReachable : others.includes(each.id)
    })
  const add = () =>
    servers.push(new SimulatedServer(`s${servers.length}`, store, time, random, mayReachStore))
  const pick = () => random.pick(servers.filter(({ isDead }) => !isDead))
  let taken = 0
  const check = async () => {
    const acting = servers.flatMap(each => each.acting())
    const ids = acting.map(({ sessionId }) => sessionId)
    expect(new Set(ids).size, 'two servers act for one session').toBe(ids.length)
    for (const { sessionId, incarnation } of servers.flatMap(each =>
      [...each.believed.values()].map(b => b.lease),
    )) {
      if (incarnation > (incarnations.get(sessionId) ?? 0)) taken += 1
      incarnations.set(sessionId, Math.max(incarnation, incarnations.get(sessionId) ?? 0))
    }
    for (const [sessionId, seen] of incarnations)
      expect((await sessions.find(sessionId))?.incarnation).toBeGreaterThanOrEqual(seen)
  }
  const write = async (server: SimulatedServer) => {
    // Also what hung for a while, and what a server writes that is not sure any more.
    for (const { lease, stored } of server.believed.values()) {
      if (server.isPartitioned) continue
      const isStored = await sessions.saveHands(lease, [{ userId: 1, raisedAtMs: lease.incarnation }])
      const row = await sessions.find(lease.sessionId)
      expect(isStored && row?.incarnation !== lease.incarnation, 'a former owner has written').toBe(false)
      if (!isStored && row?.incarnation === lease.incarnation) expect(row.tag).toBe(stored.tag)
    }
  }
  for (let i = 0; i < 3; i++) add()
  for (let step = 0; step < STEPS; step++) {
    const ms = 20 + random.below(300)
    time.nowMs += ms
    await clock.pass(ms)
    for (const server of servers) run(server.tick())
    const server = pick()
    const chance = random.below(100)
    if (chance < 30) run(server.join(random.pick(TAGS)))
    else if (chance < 50) await write(server)
    else if (chance < 53) server.pausedUntilMs = time.nowMs + random.below(8_000)
    else if (chance < 55) server.isPartitioned = !server.isPartitioned
    else if (chance < 56) server.isNetworkDown = !server.isNetworkDown
    else if (chance < 57) for (const each of servers) each.isPartitioned = true
    else if (chance < 62) for (const each of servers) each.isPartitioned = false
    else if (chance < 64) {
      server.isDead = true
      add()
    } else if (chance < 65) {
      run(server.leases.releaseAll().catch(() => {}))
      server.isDead = true
      add()
    } else if (chance < 66) await clock.pass(random.pick([-60_000, -4_000, 4_000, 60_000]))
    for (let turns = random.below(4); turns > 0; turns--) await new Promise(setImmediate)
    await check()
  }
  // When all works again, every session has one owner.
  for (const each of servers)
    Object.assign(each, { isPartitioned: false, isNetworkDown: false, pausedUntilMs: 0 })
  for (let i = 0; i < 40; i++) {
    time.nowMs += 500
    await clock.pass(500)
    for (const server of servers) run(server.tick())
    for (let turns = 0; turns < 40; turns++) await new Promise(setImmediate)
    await check()
  }
  const open = await sql<{ n: number }>`SELECT count(*) AS n FROM conference_sessions`.execute(db)
  expect(servers.flatMap(each => each.acting())).toHaveLength(Number(open.rows[0]?.n))
  return { taken }
}

describe('any history of several servers', () => {
  it.each(fuzzSeeds(1, 2))(
    'LEASE-1 to LEASE-8 has one owner of each session at any time, also when the clock is set (seed %i)',
    async seed => {
      const { taken } = await simulate(randomChoices(seededRandom(seed)))
      expect(taken).toBeGreaterThan(10)
    },
  )
})

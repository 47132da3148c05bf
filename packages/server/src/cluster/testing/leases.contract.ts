import { describe, expect, it } from 'vitest'
import type { JobStore } from '../../records/stores/jobs.ts'
import type { ChatStore, SessionStore, StoredSession } from '../../sessions/ports.ts'
import type { LeaseStore } from '../../sessions/stores/session-leases.ts'

/** The stores of one database, whose clock a test moves. */
export interface LeaseStores {
  leases: LeaseStore
  sessions: SessionStore
  chat: ChatStore
  jobs: JobStore
  pass(ms: number): Promise<void>
}

const LEASE_MS = 3_000
const server = (id: string) => ({ id, serverId: `server-${id}`, address: `http://${id}` })
const leaseOf = ({ sessionId, incarnation }: StoredSession, owner: string) => ({
  sessionId,
  incarnation,
  owner,
})

function acquired(result: Awaited<ReturnType<LeaseStore['acquire']>>): StoredSession {
  if ('leaseId' in result) throw new Error(`held by ${result.leaseId}`)
  return result
}

/** Describes every store of leases. Each call of `open` gives an empty database. */
export function describeLeaseStore(open: () => Promise<LeaseStores>) {
  async function openTwo() {
    const stores = await open()
    for (const id of ['a', 'b']) await stores.leases.register(server(id), LEASE_MS)
    let nowMs = (await stores.leases.renew('b', LEASE_MS))?.atMs ?? 0
    const pass = async (ms: number) => {
      await stores.pass(ms)
      nowMs += ms
    }
    return { ...stores, pass, now: () => nowMs }
  }

  describe('lease store', () => {
    it('LEASE-1 gives a session to one server, and names it to the others', async () => {
      const { leases } = await openTwo()
      const session = acquired(await leases.acquire('tag', 100, 'a'))
      expect(session).toMatchObject({ tag: 'tag', startedAtMs: 100, incarnation: 1, ended: null })
      expect(await leases.acquire('tag', 200, 'b')).toEqual({ leaseId: 'a', serverId: 'server-a' })
      const owner = { is: 'server', id: 'server-a', address: 'http://a' }
      expect(await leases.findOwner({ tag: 'tag' })).toEqual(owner)
      expect(await leases.findOwner({ sessionId: session.sessionId })).toEqual(owner)
      expect(await leases.findOwner({ tag: 'other' })).toBeNull()
      expect(await leases.listOpen(['other', 'tag'])).toEqual(['tag'])
      expect(await leases.listOpen([])).toEqual([])
      expect(await leases.acquireVacant('b', 10)).toEqual([])
      expect(acquired(await leases.acquire('tag', 300, 'a')).incarnation).toBe(2)
    })

    it('LEASE-1 gives a session to one of many concurrent callers', async () => {
      const { leases } = await openTwo()
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) => leases.acquire('tag', i, i % 2 ? 'a' : 'b')),
      )
      const owners = results.map((result, i) => ('leaseId' in result ? result.leaseId : i % 2 ? 'a' : 'b'))
      expect(new Set(owners).size).toBe(1)
    })

    it('LEASE-2 takes over only after the lease has run out, as another incarnation', async () => {
      const { leases, pass, now } = await openTwo()
      const { sessionId } = acquired(await leases.acquire('tag', 100, 'a'))
      await pass(LEASE_MS - 1)
      expect(await leases.expire('a', now())).toBe(false)
      await leases.renew('b', LEASE_MS)
      await pass(1)
      expect(await leases.expire('a', now())).toBe(true)
      expect(await leases.findOwner({ tag: 'tag' })).toEqual({ is: 'nobody' })
      expect(acquired(await leases.acquire('tag', 200, 'b'))).toMatchObject({ sessionId, incarnation: 2 })
      expect(await leases.findOwner({ tag: 'tag' })).toMatchObject({ id: 'server-b' })
    })

    it('LEASE-2 renews a lease that has run out while nobody has declared it dead', async () => {
      const { leases, pass, now } = await openTwo()
      await leases.acquire('tag', 100, 'a')
      await pass(60_000)
      expect(await leases.renew('a', LEASE_MS)).toMatchObject({ others: ['server-b'] })
      await leases.expireOthers('a', now())
      expect(await leases.acquire('tag', 200, 'b')).toMatchObject({ leaseId: 'a' })
      expect(await leases.renew('b', LEASE_MS)).toBeNull()
      // The server never declares itself dead, however late it is.
      await pass(60_000)
      await leases.expireOthers('a', now())
      expect(await leases.renew('a', LEASE_MS)).toEqual({ others: [], atMs: now() })
    })

    it('LEASE-2 ends no lease by a statement that comes late: it had not run out when that was decided', async () => {
      const { leases, pass, now } = await openTwo()
      await pass(LEASE_MS - 1)
      const decidedAt = now()
      await pass(60_000)
      await leases.expireOthers('b', decidedAt)
      expect(await leases.expire('a', decidedAt)).toBe(false)
      expect(await leases.renew('a', LEASE_MS)).toMatchObject({ others: ['server-b'] })
    })

    it('LEASE-11 ends no lease by a time from before the clock of the database was set back', async () => {
      const { leases, pass, now } = await openTwo()
      const decidedAt = now()
      await pass(-60_000)
      await leases.renew('a', LEASE_MS)
      await leases.expireOthers('b', decidedAt)
      expect(await leases.expire('a', decidedAt)).toBe(false)
    })

    it('LEASE-11 ends a lease that nobody has renewed since the clock of the database was set back', async () => {
      const { leases, pass, now } = await openTwo()
      await pass(-60_000)
      await leases.renew('b', LEASE_MS)
      expect(await leases.expire('a', now())).toBe(true)
      expect(await leases.expire('b', now())).toBe(false)
    })

    it('LEASE-3 never renews a dead lease', async () => {
      const { leases, pass, now } = await openTwo()
      await pass(LEASE_MS)
      expect(await leases.expire('a', now())).toBe(true)
      expect(await leases.renew('a', LEASE_MS)).toBeNull()
      expect(await leases.expire('a', now())).toBe(true)
    })

    it('LEASE-4 stores nothing of a former owner: state, hands, end, chat, jobs', async () => {
      const { leases, sessions, chat, jobs, pass, now } = await openTwo()
      const before = acquired(await leases.acquire('tag', 100, 'a'))
      const lease = leaseOf(before, 'a')
      const message = (commandId: string) => ({
        chatId: before.chatId,
        userId: 1,
        commandId,
        displayName: '',
        text: 'x',
        sentAtMs: 1,
      })
      const job = {
        kind: 'recording',
        scope: 'manual',
        conferenceSessionId: before.sessionId,
        conferenceTag: 'tag',
        params: {},
      } as const
      expect(await chat.append(message('1'), lease)).toMatchObject({ text: 'x' })
      expect(await jobs.addUnder(lease, job, 1)).toMatchObject({ attempts: 0 })
      expect(await sessions.save(lease, { ...before, locked: true })).toBe(true)
      await pass(LEASE_MS)
      await leases.expire('a', now())
      await leases.register(server('c'), LEASE_MS)
      const [after] = await leases.acquireVacant('c', 10)
      expect(after).toMatchObject({ incarnation: 2, locked: true })
      expect(await sessions.save(lease, before)).toBe(false)
      expect(await sessions.saveHands(lease, [{ userId: 1, raisedAtMs: 1 }])).toBe(false)
      expect(await sessions.end(lease, 300, 'ended')).toBe(false)
      expect(await chat.append(message('2'), lease)).toBeNull()
      // A stored message is returned to every server that retries it.
      expect(await chat.append(message('1'), lease)).toMatchObject({ text: 'x' })
      expect(await jobs.addUnder(lease, { ...job, kind: 'transcription' }, 1)).toBeNull()
      expect(await sessions.find(before.sessionId)).toEqual(after)
      const held = leaseOf(after as StoredSession, 'c')
      expect(await chat.append(message('2'), held)).toMatchObject({ text: 'x' })
      expect(await jobs.listUnfinished({ sessionId: before.sessionId })).toHaveLength(1)
    })

    it('LEASE-5 distributes the sessions of a dead server among the others', async () => {
      const { leases, pass, now } = await openTwo()
      for (let i = 0; i < 30; i++) await leases.acquire(`tag-${i}`, 100, 'a')
      await pass(LEASE_MS)
      await leases.expireOthers('', now())
      for (const id of ['c', 'd']) await leases.register(server(id), LEASE_MS)
      const taken = await Promise.all(['c', 'd', 'c', 'd'].map(id => leases.acquireVacant(id, 10)))
      const ids = taken.flat().map(({ sessionId }) => sessionId)
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ['c', 'd'])
        ids.push(...(await leases.acquireVacant(id, 30)).map(each => each.sessionId))
      expect(new Set(ids).size).toBe(30)
      expect(ids).toHaveLength(30)
    })

    it('LEASE-6 hands sessions over at once: one, all but some, or all', async () => {
      const { leases } = await openTwo()
      const [one, two, three] = await Promise.all(
        ['x', 'y', 'z'].map(async tag => acquired(await leases.acquire(tag, 100, 'a'))),
      )
      if (!one || !two || !three) return expect.fail()
      await leases.release({ ...leaseOf(one, 'a'), incarnation: 7 })
      expect(await leases.findOwner({ tag: 'x' })).toMatchObject({ is: 'server' })
      await leases.release(leaseOf(one, 'a'))
      expect(await leases.findOwner({ tag: 'x' })).toEqual({ is: 'nobody' })
      await leases.releaseExcept('a', [two.sessionId])
      expect(await leases.findOwner({ tag: 'y' })).toMatchObject({ is: 'server' })
      expect((await leases.acquireVacant('b', 10)).map(({ tag }) => tag).sort()).toEqual(['x', 'z'])
      await leases.unregister('a')
      expect(acquired(await leases.acquire('y', 200, 'b')).incarnation).toBe(2)
      expect(await leases.renew('a', LEASE_MS)).toBeNull()
    })

    it('LEASE-6 hands many sessions over together, each that is held', async () => {
      const { leases } = await openTwo()
      const stored: StoredSession[] = []
      for (let i = 0; i < 30; i++) stored.push(acquired(await leases.acquire(`tag-${i}`, 100, 'a')))
      const given = stored.map((each, i) => ({
        ...leaseOf(each, i % 3 === 1 ? 'b' : 'a'),
        ...(i % 3 === 2 && { incarnation: 7 }),
      }))
      await Promise.all(given.map(each => leases.release(each)))
      const vacant = await leases.acquireVacant('b', 100)
      expect(vacant.map(({ sessionId }) => sessionId).sort((a, b) => a - b)).toEqual(
        stored.filter((_, i) => i % 3 === 0).map(({ sessionId }) => sessionId),
      )
    })

    it('LEASE-7 does not change sessions that have ended, and removes servers that died long ago', async () => {
      const { leases, sessions, pass, now } = await openTwo()
      const ended = acquired(await leases.acquire('x', 100, 'a'))
      await sessions.end(leaseOf(ended, 'a'), 200, 'ended')
      expect(await leases.findOwner({ tag: 'x' })).toBeNull()
      expect(await leases.listOpen(['x'])).toEqual([])
      const open = acquired(await leases.acquire('y', 100, 'b'))
      await pass(LEASE_MS)
      await leases.expireOthers('', now())
      await leases.sweep()
      expect(await leases.expire('a', now())).toBe(true)
      await pass(4_000_000)
      await leases.sweep()
      expect(await leases.expire('a', now())).toBe(false)
      // An open session still belongs to it.
      expect(await leases.expire('b', now())).toBe(true)
      await leases.register(server('c'), LEASE_MS)
      expect(await leases.acquireVacant('c', 10)).toMatchObject([{ sessionId: open.sessionId }])
      expect((await sessions.find(ended.sessionId))?.incarnation).toBe(1)
    })
  })
}

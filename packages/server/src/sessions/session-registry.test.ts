import { describe, expect, it } from 'vitest'
import type { AcquireResult, SessionLease, SessionLeases } from './leases.ts'
import { LocalLeases } from './leases.ts'
import { OTHER_TAG, openTestHarness, TAG } from './testing/test-harness.ts'

/** The leases of one of several servers: another one may hold a session or take one over. */
class SharedLeases implements SessionLeases {
  readonly #local: LocalLeases
  readonly released: SessionLease[] = []
  ownerOf: { [tag: string]: string } = {}
  lost: SessionLease[] = []

  constructor(local: LocalLeases) {
    this.#local = local
  }

  async acquire(tag: string, atMs: number): Promise<AcquireResult> {
    const owner = this.ownerOf[tag]
    return owner === undefined ? this.#local.acquire(tag, atMs) : { is: 'held', owner }
  }

  acquireExpired = () => this.#local.acquireExpired()
  renew = async () => this.lost
  release = async (lease: SessionLease) => void this.released.push(lease)
  findOwner = async (session: { tag: string } | { sessionId: number }) =>
    ('tag' in session && this.ownerOf[session.tag]) || null
}

async function openShared() {
  const harness = await openTestHarness()
  const leases = new SharedLeases(new LocalLeases(harness.deps.sessions))
  harness.leases = leases
  await harness.restart()
  return { harness, leases }
}

describe('the registry of live sessions', () => {
  it('locates a session that this server runs, by its conference and by its id', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna')
    const { sessionId } = anna.ref
    expect(await harness.registry.locate(TAG)).toMatchObject({ is: 'local', session: { id: sessionId } })
    expect(await harness.registry.locateById(sessionId)).toMatchObject({ is: 'local', session: { tag: TAG } })
    expect(await harness.registry.locate(OTHER_TAG)).toEqual({ is: 'none' })
    expect(await harness.registry.locateById(sessionId + 1)).toEqual({ is: 'none' })
  })

  it('restores what a stopped server has left open, as another incarnation', async () => {
    const harness = await openTestHarness()
    const { sessionId } = (await harness.join('anna')).ref
    expect(harness.registry.get(sessionId)?.lease.incarnation).toBe(1)
    await harness.restart()
    expect(harness.registry.get(sessionId)?.lease.incarnation).toBe(2)
  })

  it('locates a session of another server there, and lets nobody join it here', async () => {
    const { harness, leases } = await openShared()
    leases.ownerOf[TAG] = 'other'
    expect(await harness.registry.locate(TAG)).toEqual({ is: 'remote', owner: 'other' })
    expect(await harness.registry.isLive(TAG)).toBe(true)
    await expect(harness.join('anna')).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  })

  it('releases the lease of a session that has ended', async () => {
    const { harness, leases } = await openShared()
    const { sessionId } = (await harness.join('anna')).ref
    await harness.conferences.end(TAG, 'closed')
    expect(leases.released).toMatchObject([{ sessionId, owner: 'local' }])
  })

  it('stops a session whose lease is lost at once, and stores no end of it', async () => {
    const { harness, leases } = await openShared()
    const { sessionId } = (await harness.join('anna', 'moderator')).ref
    leases.lost = [{ sessionId, incarnation: 1, owner: 'local' }]
    await harness.conferences.sweep()
    expect(harness.registry.get(sessionId)).toBeUndefined()
    expect(harness.events.closed).toEqual([sessionId])
    expect(harness.media.calls).toContain(`releaseRoom ${sessionId}`)
    expect((await harness.deps.sessions.find(sessionId))?.ended).toBeNull()
    expect(leases.released).toEqual([])
  })
})

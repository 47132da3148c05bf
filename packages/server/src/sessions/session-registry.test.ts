import { describe, expect, it } from 'vitest'
import { LocalLeases } from '../compose/cluster/single-server.ts'
import type { AcquireResult, LeasedSession, SessionLeases } from './leases.ts'
import type { SessionLease, SessionOwner } from './ports.ts'
import { GRACE, namesOf, OTHER_TAG, openTestHarness, TAG } from './testing/test-harness.ts'

/** The leases of one of several servers: another one may hold a session or take one over. */
class SharedLeases implements SessionLeases {
  readonly #local: LocalLeases
  readonly released: SessionLease[] = []
  ownerOf: { [tag: string]: string } = {}
  state: 'held' | 'unsure' | 'lost' = 'held'
  readonly owner = 'local'
  readonly serverId = 'local'

  constructor(local: LocalLeases) {
    this.#local = local
  }

  async acquire(tag: string, atMs: number): Promise<AcquireResult> {
    return this.ownerOf[tag] === undefined ? this.#local.acquire(tag, atMs) : { is: 'held' }
  }

  acquireVacant = () => this.#local.acquireVacant()
  renew = async () => {}
  check = (_lease: SessionLease) => this.state
  release = async (lease: SessionLease) => void this.released.push(lease)
  releaseAll = async () => {}
  resume = async () => {}
  async findOwner(session: { tag: string } | { sessionId: number }): Promise<SessionOwner | null> {
    const id = 'tag' in session && this.ownerOf[session.tag]
    if (!id) return null
    return id === NOBODY ? { is: 'nobody' } : { is: 'server', id, address: 'http://other' }
  }
  listOpen = async (tags: readonly string[]) => tags.filter(tag => this.ownerOf[tag] !== undefined)
}

const NOBODY = 'nobody'

async function openShared() {
  const harness = await openTestHarness()
  const leases = new SharedLeases(new LocalLeases(harness.parts.sessions))
  harness.leases = leases
  await harness.restart()
  return { harness, leases }
}

describe('the registry of live sessions', () => {
  it('locates a session that this server runs, by its conference', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna')
    const { sessionId } = anna.ref
    expect(await harness.registry.locate(TAG)).toMatchObject({ is: 'local', session: { id: sessionId } })
    expect(await harness.registry.locate(OTHER_TAG)).toEqual({ is: 'none' })
  })

  it('restores the open sessions of a stopped server, as another incarnation', async () => {
    const harness = await openTestHarness()
    const { sessionId } = (await harness.join('anna')).ref
    expect(harness.registry.get(sessionId)?.lease.incarnation).toBe(1)
    await harness.restart()
    expect(harness.registry.get(sessionId)?.lease.incarnation).toBe(2)
  })

  it('locates a session of another server there, and lets nobody join it here', async () => {
    const { harness, leases } = await openShared()
    leases.ownerOf[TAG] = 'other'
    expect(await harness.registry.locate(TAG)).toMatchObject({ is: 'remote', owner: { id: 'other' } })
    expect(await harness.registry.isLive(TAG)).toBe(true)
    await expect(harness.join('anna')).rejects.toMatchObject({ code: 'elsewhere' })
  })

  it('lists the live ones among many conferences, on whatever server', async () => {
    const { harness, leases } = await openShared()
    leases.ownerOf[OTHER_TAG] = 'other'
    await harness.join('anna')
    expect(await harness.registry.listLive(['nobody there', OTHER_TAG, TAG])).toEqual(
      new Set([TAG, OTHER_TAG]),
    )
    expect(await harness.registry.listLive([])).toEqual(new Set())
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
    leases.state = 'lost'
    await harness.upkeep.renewLeases()
    expect(harness.registry.all).toEqual([])
    expect(harness.events.closed).toEqual([sessionId])
    expect(harness.media.calls).toContain(`releaseRoom ${sessionId}`)
    expect(harness.jobs.calls).toContain(`lost ${sessionId}`)
    expect((await harness.parts.sessions.find(sessionId))?.ended).toBeNull()
  })

  it('stops the former incarnation when it acquires a session again before it has noticed the loss of the lease', async () => {
    const { harness, leases } = await openShared()
    const anna = await harness.join('anna')
    const { sessionId } = anna.ref
    // Others have declared this server dead, and nobody has taken the session over yet.
    leases.check = ({ incarnation }) => (incarnation === 1 ? 'lost' : 'held')
    leases.findOwner = async () => ({ is: 'nobody' })
    const ben = await harness.join('ben')
    expect(harness.jobs.calls).toContain(`lost ${sessionId}`)
    expect(harness.events.closed).toEqual([sessionId])
    await harness.upkeep.sweep()
    expect(harness.registry.get(sessionId)?.lease.incarnation).toBe(2)
    expect(harness.registry.all).toHaveLength(1)
    await ben.execute('chat.send', { text: 'x' })
  })

  it('removes nobody for absence while the lease is uncertain', async () => {
    const { harness, leases } = await openShared()
    const [anna, ben] = [await harness.join('anna'), await harness.join('ben')]
    await harness.participants.disconnect(ben.ref)
    leases.state = 'unsure'
    await harness.advance(GRACE)
    leases.state = 'held'
    expect(harness.registry.get(anna.ref.sessionId)?.participants.size).toBe(2)
    await harness.upkeep.sweep()
    expect(harness.registry.get(anna.ref.sessionId)?.participants.size).toBe(1)
  })

  it('shows as away whose connection is lost while the lease is uncertain, once it is certain', async () => {
    const { harness, leases } = await openShared()
    const [anna, ben] = [await harness.join('anna'), await harness.join('ben')]
    leases.state = 'unsure'
    harness.events.take()
    expect(await ben.disconnect()).toBe(true)
    await harness.upkeep.sweep()
    expect(harness.events.take()).toEqual([])
    leases.state = 'held'
    await harness.upkeep.sweep()
    expect(ben.view()).toMatchObject({ presence: 'away' })
    await harness.advance(GRACE)
    expect(ben.view()).toBeUndefined()
    expect(anna.view()).toMatchObject({ presence: 'here' })
  })

  it('keeps the lobby of a session whose last waiter leaves while the lease is uncertain', async () => {
    const { harness, leases } = await openShared()
    harness.entry = 'lobby'
    await harness.join('anna', 'moderator')
    await harness.enterLobby('ben')
    leases.state = 'unsure'
    await harness.participants.leaveLobby(TAG, 'ben-1')
    leases.state = 'held'
    await harness.enterLobby('carl')
    expect(harness.conferences.size.waiting).toBe(1)
    await harness.conferences.end(TAG, 'closed')
    expect(harness.lastLobbyStatus('carl')).toEqual(['closed', null])
  })

  it('shows moderators who leaves the lobby while the lease is uncertain, and lets the others wait on', async () => {
    const { harness, leases } = await openShared()
    harness.entry = 'lobby'
    await harness.join('anna', 'moderator')
    await harness.enterLobby('ben')
    await harness.enterLobby('carl')
    harness.events.take()
    leases.state = 'unsure'
    leases.ownerOf[TAG] = leases.serverId
    await harness.participants.leaveLobby(TAG, 'ben-1')
    await harness.upkeep.sweep()
    expect(namesOf(harness.events.take())).toEqual(['lobby.left'])
    expect(harness.conferences.size.waiting).toBe(1)
  })

  it('keeps whoever is back before the lease is certain, and whoever is back at that moment', async () => {
    const { harness, leases } = await openShared()
    const [anna, ben] = [await harness.join('anna'), await harness.join('ben')]
    leases.state = 'unsure'
    await anna.disconnect()
    await ben.disconnect()
    expect(await anna.reconnect()).toBe(true)
    leases.state = 'held'
    expect(await harness.join('ben')).toMatchObject({ id: ben.id })
    await harness.advance(GRACE)
    expect([anna, ben].map(each => each.view()?.presence)).toEqual(['here', 'here'])
  })

  it('removes whoever leaves while the lease is uncertain, once it is certain, unless it is lost', async () => {
    const { harness, leases } = await openShared()
    const [anna, ben] = [await harness.join('anna'), await harness.join('ben')]
    leases.state = 'unsure'
    await ben.leave({ startBy: harness.now + 1 })
    leases.state = 'held'
    await harness.advance(1_000)
    expect(ben.view()).toBeUndefined()
    leases.state = 'unsure'
    await anna.leave()
    leases.state = 'lost'
    await harness.upkeep.renewLeases()
    expect(harness.registry.all).toEqual([])
    expect(await harness.parts.participants.list(anna.ref.sessionId)).toMatchObject([
      { participantId: anna.id },
    ])
  })

  it('publishes what media and workers report while the lease is uncertain, once it is certain', async () => {
    const { harness, leases } = await openShared()
    const { ref } = await harness.join('anna')
    const publication = { publication_id: 'p', participant_id: ref.participantId, paused: true } as const
    const microphone = { ...publication, source: 'microphone' } as const
    const isPaused = () => harness.registry.state(ref.sessionId)?.state.publications.map(each => each.paused)
    const report = (name: 'publication.added' | 'publication.changed', paused: boolean) =>
      harness.reports.applyMediaEvent(ref.sessionId, {
        name,
        body: { publication: { ...microphone, paused } },
      })
    leases.state = 'unsure'
    harness.events.take()
    report('publication.added', true)
    report('publication.changed', false)
    harness.reports.setRecording(ref.sessionId, true)
    await harness.upkeep.sweep()
    expect(harness.events.take()).toEqual([])
    leases.state = 'held'
    report('publication.changed', true)
    expect(isPaused()).toEqual([true])
    expect(namesOf(harness.events.take())).toEqual([
      'publication.added',
      'publication.changed',
      'recording.changed',
      'publication.changed',
    ])
    leases.state = 'unsure'
    report('publication.changed', false)
    leases.state = 'held'
    await harness.upkeep.sweep()
    expect(isPaused()).toEqual([false])
  })

  it('publishes what is written in the conversation while the lease is uncertain, once it is certain', async () => {
    const { harness, leases } = await openShared()
    const { ref } = await harness.join('anna')
    const { chatId, lease } = harness.registry.get(ref.sessionId) ?? {}
    if (!chatId || !lease) throw new Error('there is no session')
    const text = { displayName: 'Ben', text: 'Hello', sentAtMs: harness.now }
    const message = await harness.parts.chat.append({ chatId, userId: 7, commandId: 'c', ...text }, lease)
    if (!message) throw new Error('nothing was stored')
    harness.events.take()
    leases.state = 'unsure'
    harness.reports.applyChatNotice({ tag: TAG, is: 'added', message })
    await harness.upkeep.sweep()
    expect(harness.events.take()).toEqual([])
    leases.state = 'held'
    await harness.upkeep.sweep()
    await expect.poll(() => namesOf(harness.events.take())).toEqual(['chat.message'])
  })

  it('publishes nothing of that when the lease is lost', async () => {
    const { harness, leases } = await openShared()
    const { ref } = await harness.join('anna')
    leases.state = 'unsure'
    harness.reports.setRecording(ref.sessionId, true)
    leases.state = 'lost'
    await harness.upkeep.renewLeases()
    leases.state = 'held'
    await harness.join('anna')
    await harness.upkeep.sweep()
    expect(harness.registry.state(ref.sessionId)?.state.recording).toBe(false)
  })

  it('refuses commands while the lease is uncertain, and executes them afterwards', async () => {
    const { harness, leases } = await openShared()
    const anna = await harness.join('anna', 'moderator')
    leases.state = 'unsure'
    await expect(anna.execute('chat.send', { text: 'x' })).rejects.toMatchObject({ code: 'elsewhere' })
    expect(harness.registry.get(anna.ref.sessionId)).toBeUndefined()
    leases.state = 'held'
    await anna.execute('chat.send', { text: 'x' })
  })

  it('stops a session at once when one of its writes is refused', async () => {
    const { harness } = await openShared()
    const anna = await harness.join('anna', 'moderator')
    const { sessionId } = anna.ref
    // Another server has taken it over, and this one does not know that yet.
    await harness.unwrapped.sessions.findOrOpen(TAG, 1)
    await expect(anna.execute('chat.send', { text: 'x' })).resolves.toBeDefined() // local leases are not fenced
    await expect(anna.execute('conference.set_lock', { locked: true })).rejects.toMatchObject({
      code: 'elsewhere',
    })
    expect(harness.registry.all).toEqual([])
    expect(harness.jobs.calls).toContain(`lost ${sessionId}`)
    expect(await harness.parts.sessions.find(sessionId)).toMatchObject({ locked: false, ended: null })
  })

  it('hands all sessions over, and opens none afterwards', async () => {
    const { harness } = await openShared()
    const { sessionId } = (await harness.join('anna')).ref
    await harness.upkeep.handOver()
    expect(harness.jobs.calls).toContain(`lost ${sessionId}`)
    expect(harness.registry.all).toEqual([])
    await expect(harness.join('anna')).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  })
  it('does not acquire again what it hands over (rule LEASE-6)', async () => {
    const { harness, leases } = await openShared()
    await harness.join('anna')
    let answer: ((leased: LeasedSession[]) => void) | undefined
    leases.acquireVacant = () =>
      new Promise(resolve => {
        answer = resolve
      })
    const opening = harness.upkeep.openVacant()
    while (!answer) await new Promise(resolve => setTimeout(resolve))
    const handOver = harness.upkeep.handOver()
    await new Promise(setImmediate) // SQLite answers before that
    expect(leases.released, 'while it asks for sessions that nobody runs').toEqual([])
    answer([])
    await Promise.all([opening, handOver])
    expect(leases.released).toHaveLength(1)
    leases.acquireVacant = () => expect.unreachable()
    await harness.upkeep.openVacant()
  })
})

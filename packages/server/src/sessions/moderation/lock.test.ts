import { describe, expect, it } from 'vitest'
import { localLease } from '../testing/local-lease.ts'
import { GRACE, openTestHarness, refuses } from '../testing/test-harness.ts'

describe('lock', () => {
  it('LOCK-1 is set by moderators only, and published when it changes', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    harness.events.take()
    await refuses(ben.execute('conference.set_lock', { locked: true }), 'not_moderator')
    await anna.execute('conference.set_lock', { locked: true })
    await anna.execute('conference.set_lock', { locked: true })
    expect(harness.events.take()).toMatchObject([{ name: 'conference.locked', body: { locked: true } }])
    expect(harness.registry.state(anna.ref.sessionId)?.state.locked).toBe(true)
  })

  it('LOCK-2 sends new accounts other than moderators to the lobby until it is lifted (LINK-5)', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    await anna.execute('conference.set_lock', { locked: true })
    await refuses(harness.join('ben'), 'locked')
    expect(await harness.enterLobby('ben', 'participant')).toBe('locked')
    await harness.join('carl', 'moderator')
    await anna.execute('conference.set_lock', { locked: false })
    expect(harness.lastLobbyStatus('ben')).toEqual(['admitted', null])
    await harness.join('ben')
  })

  it('LOCK-3 lets members in again with another device, after leaving and after a lost connection', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const [ben, carl] = [await harness.join('ben'), await harness.join('carl')]
    await anna.execute('conference.set_lock', { locked: true })
    await harness.join('ben', 'participant', 2)
    await ben.disconnect()
    await harness.join('ben', 'participant', 3)
    expect(await ben.reconnect()).toBe(true)
    await carl.leave()
    await harness.join('carl', 'participant', 2)
    await ben.disconnect()
    await harness.advance(GRACE)
    await harness.join('ben', 'participant', 4)
  })

  it('LOCK-4 makes members of accounts that were inside before the lock, and of no others', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    await ben.leave()
    await anna.execute('conference.set_lock', { locked: true })
    await harness.join('ben', 'participant', 2)
    await refuses(harness.join('eve'), 'locked')
  })

  it('LOCK-5 lets members in again after a crash, at any time until the session ends', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    await ben.leave()
    await anna.execute('conference.set_lock', { locked: true })
    await harness.restart()
    await harness.join('anna', 'moderator')
    await refuses(harness.join('eve'), 'locked')
    await harness.advance(3 * GRACE)
    await harness.join('ben')
    await harness.restart() // also when it crashes twice
    await harness.join('ben')
    await refuses(harness.join('eve'), 'locked')
  })

  it('LOCK-6 keeps members that are inside when there are too many', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const { sessionId } = anna.ref
    const members = Array.from({ length: 2000 }, (_, i) => 1_000_000 + i)
    const stored = await harness.unwrapped.sessions.find(sessionId)
    if (!stored) return expect.fail()
    await harness.unwrapped.sessions.save(localLease({ sessionId }), { ...stored, members })
    await harness.restart()
    await harness.join('anna', 'moderator')
    await harness.join('ben')
    const now = await harness.unwrapped.sessions.find(sessionId)
    expect(now?.members).toHaveLength(2000)
    expect(now?.members.slice(-2)).toEqual([anna.userId, (await harness.join('ben')).userId])
    expect(now?.members[0]).toBe(1_000_002)
  })
})

import { describe, expect, it } from 'vitest'
import { GRACE, namesOf, OTHER_TAG, openTestHarness, refuses, TAG } from '../testing/test-harness.ts'

async function withBrokenEnd() {
  let isBroken = true
  const harness = await openTestHarness(parts => ({
    ...parts,
    sessions: {
      ...parts.sessions,
      end: (...args) => (isBroken ? Promise.reject(new Error('full')) : parts.sessions.end(...args)),
    },
  }))
  const repair = () => {
    isBroken = false
  }
  return { harness, repair }
}

describe('ending', () => {
  it('E1 ends a session that has been empty for the grace time', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna')
    await anna.leave()
    await harness.advance(GRACE - 1)
    expect(await harness.registry.isLive(TAG)).toBe(true)
    harness.events.take()
    await harness.advance(1)
    expect(await harness.registry.isLive(TAG)).toBe(false)
    expect(harness.events.take()).toMatchObject([{ name: 'session.ended', body: { reason: 'empty' } }])
    expect(harness.events.closed).toEqual([anna.ref.sessionId])
    expect(harness.media.calls).toContain(`closeRoom ${anna.ref.sessionId}`)
  })

  it('E1 ends a session once, however many sweeps run at the same time', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna')
    await anna.leave()
    harness.events.take()
    await Promise.all([
      harness.advance(GRACE),
      harness.advance(0),
      harness.conferences.end(TAG, 'closed'),
      harness.advance(0),
    ])
    expect(namesOf(harness.events.take())).toEqual(['session.ended'])
  })

  it('E1 ends an empty session in time although the clock is set back', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna')
    await anna.disconnect()
    harness.setClockBack(3_600_000)
    await harness.advance(GRACE)
    expect(await harness.registry.isLive(TAG)).toBe(false)
  })

  it('E4 ends no session before somebody came who is inside, although the clock is set back', async () => {
    const harness = await openTestHarness()
    const { ref } = await harness.join('anna', 'moderator')
    harness.now += 60_000
    await harness.join('ben')
    const joinedAtMs = harness.now
    harness.setClockBack(3_600_000)
    await harness.conferences.end(TAG, 'ended')
    expect((await harness.parts.sessions.find(ref.sessionId))?.ended?.atMs).toBe(joinedAtMs)
  })

  it('E2 continues when a person joins in time, and restarts the grace time', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna')
    await anna.leave()
    await harness.advance(GRACE - 1)
    const ben = await harness.join('ben')
    expect(ben.ref.sessionId).toBe(anna.ref.sessionId)
    await harness.advance(GRACE)
    await ben.leave()
    await harness.advance(GRACE - 1)
    expect(await harness.registry.isLive(TAG)).toBe(true)
  })

  it('E3 treats a session as empty while everybody is away', async () => {
    const harness = await openTestHarness()
    const [anna, ben] = [await harness.join('anna'), await harness.join('ben')]
    await anna.disconnect()
    await harness.advance(20_000)
    await ben.leave()
    await harness.advance(20_000)
    expect(anna.view()).toBeUndefined()
    expect(await harness.registry.isLive(TAG)).toBe(true)
    await harness.advance(10_000)
    expect(await harness.registry.isLive(TAG)).toBe(false)
  })

  it('E4 ends for everybody when a moderator ends it; the next session is another one', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    await refuses(ben.execute('conference.end', {}), 'not_moderator')
    harness.events.take()
    await anna.execute('conference.end', {})
    expect(harness.events.take()).toMatchObject([{ name: 'session.ended', body: { reason: 'ended' } }])
    await refuses(ben.execute('chat.send', { text: 'x' }), 'not_inside')
    expect(await ben.leave()).toBe(false)
    expect(harness.registry.state(ben.ref.sessionId)).toBeNull()
    expect((await harness.join('anna', 'moderator')).ref.sessionId).toBeGreaterThan(ben.ref.sessionId)
  })

  it.each(['closed', 'cancelled'] as const)(
    'E5 ends when its room is %s, and no other session does',
    async reason => {
      const harness = await openTestHarness()
      const anna = await harness.join('anna')
      await harness.join('anna', 'participant', 1, OTHER_TAG)
      await harness.conferences.end(TAG, reason)
      await harness.conferences.end(TAG, reason)
      expect(harness.events.take().at(-1)).toMatchObject({ name: 'session.ended', body: { reason } })
      expect(await harness.registry.isLive(OTHER_TAG)).toBe(true)
      expect((await harness.parts.sessions.find(anna.ref.sessionId))?.ended).toEqual({
        atMs: harness.now,
        reason,
      })
    },
  )

  it('E6 leaves nobody inside when a room closes while people join', async () => {
    const harness = await openTestHarness()
    const joining = Array.from({ length: 10 }, (_, i) => harness.join(`guest-${i}`).catch(() => null))
    harness.directory.closed.add(TAG)
    await harness.conferences.end(TAG, 'closed')
    await Promise.all(joining)
    expect(await harness.registry.isLive(TAG)).toBe(false)
    expect(await harness.parts.sessions.resumeOpen()).toEqual([])
  })

  it('E7 retries an end that could not be stored', async () => {
    const { harness, repair } = await withBrokenEnd()
    const anna = await harness.join('anna')
    await anna.leave()
    await expect(harness.advance(GRACE)).rejects.toThrow('full')
    expect(await harness.registry.isLive(TAG)).toBe(true)
    repair()
    await harness.advance(1000)
    expect(await harness.registry.isLive(TAG)).toBe(false)
  })

  it('E8 does not continue a session whose end may be stored', async () => {
    const { harness, repair } = await withBrokenEnd()
    const anna = await harness.join('anna', 'moderator')
    await expect(anna.execute('conference.end', {})).rejects.toThrow('full')
    await expect(harness.join('ben')).rejects.toThrow('full')
    repair()
    await refuses(harness.join('ben'), 'not_started')
    const ben = await harness.join('ben', 'moderator')
    expect(ben.ref.sessionId).toBeGreaterThan(anna.ref.sessionId)
    expect((await harness.parts.sessions.find(anna.ref.sessionId))?.ended?.reason).toBe('ended')
  })
})

describe('after a crash', () => {
  it('RESTORE-1 continues the same session with chat, lock, mode and removals', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    await anna.execute('chat.send', { text: 'Hi' })
    await anna.execute('chat.set_mode', { mode: 'read_only' })
    await anna.execute('participant.remove', { participant_id: ben.id })
    await anna.execute('conference.set_lock', { locked: true })
    const before = harness.registry.state(anna.ref.sessionId)?.state
    await harness.restart()
    expect(await harness.registry.isLive(TAG)).toBe(true)
    expect(harness.registry.state(anna.ref.sessionId)?.state).toEqual({ ...before, participants: [] })
    await harness.advance(GRACE - 1)
    const again = await harness.join('anna')
    expect(again.ref.sessionId).toBe(anna.ref.sessionId)
    expect(again.id).not.toBe(anna.id)
    await harness.advance(GRACE)
    expect(await harness.registry.isLive(TAG)).toBe(true)
  })

  it('RESTORE-2 ends sessions to which nobody returns, and restores none that have ended', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    await harness.restart()
    harness.events.take()
    await harness.advance(GRACE)
    expect(namesOf(harness.events.take())).toEqual(['session.ended'])
    await harness.restart()
    expect(await harness.registry.isLive(TAG)).toBe(false)
  })

  it('RESTORE-3 continues with greater versions', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const versionOf = () => harness.registry.state(anna.ref.sessionId)?.version ?? 0
    const before = versionOf()
    await anna.execute('chat.send', { text: 'Hi' })
    expect(versionOf()).toBe(before + 1)
    await harness.restart()
    expect(versionOf()).toBeGreaterThan(before + 1)
  })
})

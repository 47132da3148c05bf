import { describe, expect, it } from 'vitest'
import { GRACE, namesOf, OTHER_TAG, openHouse, refuses, TAG } from './testing/house.ts'

async function withBrokenEnd() {
  let isBroken = true
  const house = await openHouse(parts => ({
    ...parts,
    sessions: {
      ...parts.sessions,
      end: (...args) => (isBroken ? Promise.reject(new Error('full')) : parts.sessions.end(...args)),
    },
  }))
  const repair = () => {
    isBroken = false
  }
  return { house, repair }
}

describe('ending', () => {
  it('E1 ends a session that has been empty for the grace time', async () => {
    const house = await openHouse()
    const anna = await house.join('anna')
    await anna.leave()
    await house.pass(GRACE - 1)
    expect(await house.conferences.isLive(TAG)).toBe(true)
    house.events.take()
    await house.pass(1)
    expect(await house.conferences.isLive(TAG)).toBe(false)
    expect(house.events.take()).toMatchObject([{ name: 'session.ended', body: { reason: 'empty' } }])
    expect(house.events.closed).toEqual([`session:${anna.place.sessionId}`])
    expect(house.media.asked).toContain(`closeRoom ${anna.place.sessionId}`)
  })

  it('E1 ends it once, however many look at the same time', async () => {
    const house = await openHouse()
    const anna = await house.join('anna')
    await anna.leave()
    house.events.take()
    await Promise.all([house.pass(GRACE), house.pass(0), house.conferences.end(TAG, 'closed'), house.pass(0)])
    expect(namesOf(house.events.take())).toEqual(['session.ended'])
  })

  it('E2 goes on when somebody comes in time, and counts anew', async () => {
    const house = await openHouse()
    const anna = await house.join('anna')
    await anna.leave()
    await house.pass(GRACE - 1)
    const ben = await house.join('ben')
    expect(ben.place.sessionId).toBe(anna.place.sessionId)
    await house.pass(GRACE)
    await ben.leave()
    await house.pass(GRACE - 1)
    expect(await house.conferences.isLive(TAG)).toBe(true)
  })

  it('E3 takes a session for empty when everybody is away', async () => {
    const house = await openHouse()
    const [anna, ben] = [await house.join('anna'), await house.join('ben')]
    await anna.lose()
    await house.pass(20_000)
    await ben.leave()
    await house.pass(20_000)
    expect(anna.view()).toBeUndefined()
    expect(await house.conferences.isLive(TAG)).toBe(true)
    await house.pass(10_000)
    expect(await house.conferences.isLive(TAG)).toBe(false)
  })

  it('E4 ends at a moderator’s word, for everybody; the next session is another one', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const ben = await house.join('ben')
    await refuses(ben.act('conference.end', {}), 'not_moderator')
    house.events.take()
    await anna.act('conference.end', {})
    expect(house.events.take()).toMatchObject([{ name: 'session.ended', body: { reason: 'ended' } }])
    await refuses(ben.act('chat.send', { text: 'x' }), 'not_inside')
    expect(await ben.leave()).toBe(false)
    expect(house.conferences.state(ben.place.sessionId)).toBeNull()
    expect((await house.join('anna', 'moderator')).place.sessionId).toBeGreaterThan(ben.place.sessionId)
  })

  it.each(['closed', 'cancelled'] as const)(
    'E5 ends when the room is %s, and only that one',
    async reason => {
      const house = await openHouse()
      const anna = await house.join('anna')
      await house.join('anna', 'participant', 1, OTHER_TAG)
      await house.conferences.end(TAG, reason)
      await house.conferences.end(TAG, reason)
      expect(house.events.take().at(-1)).toMatchObject({ name: 'session.ended', body: { reason } })
      expect(await house.conferences.isLive(OTHER_TAG)).toBe(true)
      expect((await house.parts.sessions.find(anna.place.sessionId))?.ended).toEqual({
        atMs: house.now,
        reason,
      })
    },
  )

  it('E6 leaves nobody inside when a room closes while people come', async () => {
    const house = await openHouse()
    const joining = Array.from({ length: 10 }, (_, i) => house.join(`guest-${i}`).catch(() => null))
    house.directory.closed.add(TAG)
    await house.conferences.end(TAG, 'closed')
    await Promise.all(joining)
    expect(await house.conferences.isLive(TAG)).toBe(false)
    expect(await house.parts.sessions.resumeOpen()).toEqual([])
  })

  it('E7 tries again when the end could not be stored', async () => {
    const { house, repair } = await withBrokenEnd()
    const anna = await house.join('anna')
    await anna.leave()
    await expect(house.pass(GRACE)).rejects.toThrow('full')
    expect(await house.conferences.isLive(TAG)).toBe(true)
    repair()
    await house.pass(1000)
    expect(await house.conferences.isLive(TAG)).toBe(false)
  })

  it('E8 does not go on with a session whose end may be stored', async () => {
    const { house, repair } = await withBrokenEnd()
    const anna = await house.join('anna', 'moderator')
    await expect(anna.act('conference.end', {})).rejects.toThrow('full')
    await expect(house.join('ben')).rejects.toThrow('full')
    repair()
    await refuses(house.join('ben'), 'not_started')
    const ben = await house.join('ben', 'moderator')
    expect(ben.place.sessionId).toBeGreaterThan(anna.place.sessionId)
    expect((await house.parts.sessions.find(anna.place.sessionId))?.ended?.reason).toBe('ended')
  })
})

describe('after a crash', () => {
  it('RESTORE-1 goes on in the same session with chat, lock, mode and removals', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const ben = await house.join('ben')
    await anna.act('chat.send', { text: 'Hi' })
    await anna.act('chat.set_mode', { mode: 'read_only' })
    await anna.act('participant.remove', { participant_id: ben.id })
    await anna.act('conference.set_lock', { locked: true })
    const before = house.conferences.state(anna.place.sessionId)?.state
    await house.restart()
    expect(await house.conferences.isLive(TAG)).toBe(true)
    expect(house.conferences.state(anna.place.sessionId)?.state).toEqual({ ...before, participants: [] })
    await house.pass(GRACE - 1)
    const again = await house.join('anna')
    expect(again.place.sessionId).toBe(anna.place.sessionId)
    expect(again.id).not.toBe(anna.id)
    await house.pass(GRACE)
    expect(await house.conferences.isLive(TAG)).toBe(true)
  })

  it('RESTORE-2 ends what nobody came back to, and opens nothing that had ended', async () => {
    const house = await openHouse()
    await house.join('anna')
    await house.restart()
    house.events.take()
    await house.pass(GRACE)
    expect(namesOf(house.events.take())).toEqual(['session.ended'])
    await house.restart()
    expect(await house.conferences.isLive(TAG)).toBe(false)
  })

  it('RESTORE-3 goes on with greater versions', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const versionOf = () => house.conferences.state(anna.place.sessionId)?.version ?? 0
    const before = versionOf()
    await anna.act('chat.send', { text: 'Hi' })
    expect(versionOf()).toBe(before + 1)
    await house.restart()
    expect(versionOf()).toBeGreaterThan(before + 1)
  })
})

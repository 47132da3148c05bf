import { describe, expect, it } from 'vitest'
import { OTHER_TAG, openTestHarness, refuses, TAG } from './testing/test-harness.ts'

const both = async () => {
  const harness = await openTestHarness()
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  harness.events.take()
  const version = () => String(harness.registry.state(anna.ref.sessionId)?.version)
  return { harness, anna, ben, version }
}

describe('conditions', () => {
  it('PRE-1 refuse a command, a join or a leave that comes too late', async () => {
    const { harness, anna, ben } = await both()
    const [inTime, late] = [{ startBy: harness.now }, { startBy: harness.now - 1 }]
    await refuses(anna.execute('conference.set_lock', { locked: true }, 'c-1', late), 'too_late')
    await refuses(harness.join('carl', 'participant', 1, TAG, late), 'too_late')
    await refuses(ben.leave(late), 'too_late')
    await anna.execute('conference.set_lock', { locked: false }, 'c-2', inTime)
    await harness.join('carl', 'participant', 1, TAG, inTime)
    expect(await ben.leave(inTime)).toBe(true)
  })

  it('PRE-1 count the time in the queue of the conference', async () => {
    const { harness, anna } = await both()
    const before = anna.execute('conference.set_lock', { locked: true })
    const waiting = anna.execute('conference.set_lock', { locked: false }, 'c-1', { startBy: harness.now })
    harness.now += 1
    await before
    await refuses(waiting, 'too_late')
  })

  it('PRE-2 refuse a command that expects another version of the session', async () => {
    const { harness, anna, ben, version } = await both()
    const [now, other] = [{ expectedVersion: version() }, { expectedVersion: `0${version()}` }]
    await refuses(anna.execute('conference.set_lock', { locked: true }, 'c-1', other), 'other_version')
    await refuses(harness.join('carl', 'participant', 1, TAG, other), 'other_version')
    await refuses(ben.leave(other), 'other_version')
    await harness.join('carl', 'participant', 1, TAG, now)
    await refuses(ben.leave(now), 'other_version')
    expect(await ben.leave({ expectedVersion: version() })).toBe(true)
  })

  it('PRE-2 accept one of two commands that expect the same version', async () => {
    const { harness, anna, version } = await both()
    const now = { expectedVersion: version() }
    const first = anna.execute('conference.set_lock', { locked: true }, 'c-1', now)
    await refuses(anna.execute('conference.set_lock', { locked: false }, 'c-2', now), 'other_version')
    await first
    expect(harness.registry.state(anna.ref.sessionId)?.state.locked).toBe(true)
  })

  it('PRE-2 have version 0 where no session is open', async () => {
    const { harness } = await both()
    const none = { expectedVersion: '0' }
    await refuses(harness.join('carl', 'participant', 1, TAG, none), 'other_version')
    await refuses(
      harness.join('carl', 'participant', 1, OTHER_TAG, { expectedVersion: '1' }),
      'other_version',
    )
    expect(harness.registry.getByTag(OTHER_TAG)).toBeUndefined()
    const { ref } = await harness.join('carl', 'participant', 1, OTHER_TAG, none)
    expect(harness.registry.getByTag(OTHER_TAG)?.id).toBe(ref.sessionId)
  })

  it('PRE-3 change nothing when they refuse', async () => {
    const { harness, anna, ben, version } = await both()
    const before = version()
    const late = { startBy: harness.now - 1 }
    await refuses(ben.execute('chat.send', { text: 'Hi' }, 'c-1', late), 'too_late')
    await refuses(anna.execute('conference.end', {}, 'c-2', { expectedVersion: '1' }), 'other_version')
    await refuses(ben.leave(late), 'too_late')
    expect([harness.events.take(), version()]).toEqual([[], before])
    expect((await anna.execute('chat.history', {})).messages).toEqual([])
  })

  it('PRE-4 do not apply to the repetition of a stored message', async () => {
    const { harness, anna, ben, version } = await both()
    const then = { expectedVersion: version(), startBy: harness.now }
    const first = await ben.execute('chat.send', { text: 'Hi' }, 'c-1', then)
    await anna.execute('chat.set_mode', { mode: 'read_only' })
    await harness.advance(5000)
    expect(await ben.execute('chat.send', { text: 'Hi' }, 'c-1', then)).toEqual(first)
    await refuses(ben.execute('chat.send', { text: 'Ho' }, 'c-1', then), 'other_message')
    await refuses(anna.execute('chat.send', { text: 'Hi' }, 'c-1', then), 'too_late')
    await harness.restart()
    expect(await (await harness.join('ben')).execute('chat.send', { text: 'Hi' }, 'c-1', then)).toEqual(first)
  })
})

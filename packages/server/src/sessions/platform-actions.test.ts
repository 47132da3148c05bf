import type { ConferenceRole } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { openTestHarness, personOf, refuses, TAG, userIdOf } from './testing/test-harness.ts'

describe('a platform', () => {
  it('lists, mutes and removes people, and records', async () => {
    const harness = await openTestHarness()
    expect(await harness.conferences.performForPlatform(TAG, { is: 'list' })).toBeNull()
    const anna = await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    const perform = (action: Parameters<typeof harness.conferences.performForPlatform>[1]) =>
      harness.conferences.performForPlatform(TAG, action)
    expect(await perform({ is: 'list' })).toMatchObject({
      participants: [
        { id: anna.id, role: 'moderator', isHere: true },
        { id: ben.id, role: 'participant' },
      ],
    })
    harness.events.take()
    expect(await perform({ is: 'mute', participantId: ben.id, source: 'audio' })).toEqual({ is: 'done' })
    expect(harness.media.calls).toContain(`mute ${ben.ref.sessionId} ${ben.id} audio`)
    await perform({ is: 'start_recording', format: 'mkv' })
    await perform({ is: 'stop_recording' })
    const { sessionId } = ben.ref
    expect(harness.jobs.calls.slice(-2)).toEqual([`start ${sessionId}`, `stop ${sessionId}`])
    expect(await perform({ is: 'remove', participantId: ben.id })).toEqual({ is: 'done' })
    expect(ben.view()).toBeUndefined()
    expect(await perform({ is: 'remove', participantId: ben.id })).toEqual({ is: 'no_participant' })
    expect(harness.events.take().map(({ name }) => name)).toEqual([
      'participant.muted',
      'participant.removed',
      'participant.left',
    ])
  })

  it('ends the membership of somebody whose link was withdrawn', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    await ben.leave()
    const action = { is: 'end_membership', userId: ben.userId } as const
    for (let i = 0; i < 2; i += 1)
      expect(await harness.conferences.performForPlatform(TAG, action)).toEqual({ is: 'done' })
    await refuses(harness.joinByPlainLink('ben', 2), 'approval')
    await harness.restart()
    await harness.join('anna', 'moderator')
    await refuses(harness.joinByPlainLink('ben', 2), 'approval')
  })

  it('ends the memberships of all who came by a withdrawn link that named nobody, after a restart, too', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    const anna = await harness.join('anna', 'moderator')
    const come = (name: string, linkRole: ConferenceRole, hasSharedLink: boolean) =>
      harness.participants.join(TAG, { ...personOf(name, linkRole, 1), hasSharedLink })
    await come('ben', 'participant', true)
    await come('carl', 'moderator', true)
    await come('dora', 'participant', false)
    await harness.enterLobby('eve')
    await anna.execute('lobby.admit', {})
    await harness.restart()
    await harness.join('anna', 'moderator')
    const action = { is: 'end_shared_memberships', role: 'participant' } as const
    for (let i = 0; i < 2; i += 1)
      expect(await harness.conferences.performForPlatform(TAG, action)).toEqual({ is: 'done' })
    await refuses(harness.joinByPlainLink('ben', 2), 'approval')
    for (const name of ['carl', 'dora', 'eve']) await harness.joinByPlainLink(name, 2)
    const [session] = harness.registry.all
    expect([...(session?.sharedLinks ?? [])]).toEqual([[userIdOf('carl'), 'moderator']])
  })

  it('ends the membership of somebody with such a link who was admitted and has not come', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    const anna = await harness.join('anna', 'moderator')
    await anna.execute('conference.set_lock', { locked: true })
    await harness.participants.enterLobby(TAG, { ...personOf('ben', 'participant', 1), hasSharedLink: true })
    await anna.execute('lobby.admit', {})
    await harness.conferences.performForPlatform(TAG, { is: 'end_shared_memberships', role: 'participant' })
    await anna.execute('conference.set_lock', { locked: false })
    await refuses(harness.joinByPlainLink('ben'), 'approval')
  })

  it('sends messages once for each command, which everybody sees', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    harness.events.take()
    const message = { userId: 77, displayName: 'School', text: 'Five minutes', commandId: 'c-1' }
    const sent = await harness.conferences.performForPlatform(TAG, { is: 'send_message', ...message })
    expect(sent).toEqual({ is: 'sent', messageId: expect.any(Number) })
    expect(harness.events.take()).toMatchObject([
      {
        name: 'chat.message',
        body: { message: { display_name: 'School', by_moderator: true, text: 'Five minutes' } },
      },
    ])
  })

  it('T8 sends messages in order that were stored although the store reported a failure', async () => {
    let isBroken = false
    const harness = await openTestHarness(parts => ({
      ...parts,
      chat: {
        ...parts.chat,
        append: async (...draft) => {
          const stored = await parts.chat.append(...draft)
          if (isBroken) throw new Error('the answer was lost')
          return stored
        },
      },
    }))
    await harness.join('anna')
    harness.events.take()
    const send = (text: string) =>
      harness.conferences.performForPlatform(TAG, {
        ...{ is: 'send_message', userId: 77, displayName: 'School', text, commandId: text },
      })
    isBroken = true
    await expect(send('one')).rejects.toThrow('the answer was lost')
    isBroken = false
    await send('two')
    const published = harness.events.take().map(({ body }) => ('message' in body ? body.message.text : ''))
    expect(published).toEqual(['one', 'two'])
  })
})

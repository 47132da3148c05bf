import { type MediaSource, PERSON_PERMISSIONS_MAX } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { GRACE, openTestHarness, refuses, type TestParticipant } from '../testing/test-harness.ts'

async function lesson() {
  const harness = await openTestHarness()
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  const carl = await harness.join('carl')
  const publish = (guest: TestParticipant, source: MediaSource, paused = false) =>
    harness.reports.applyMediaEvent(guest.ref.sessionId, {
      name: 'publication.added',
      body: {
        publication: {
          publication_id: `${source}-${guest.id}`,
          participant_id: guest.id,
          source,
          paused,
        },
      },
    })
  const mutes = () => harness.media.calls.splice(0).filter(call => call.startsWith('mute'))
  harness.events.take()
  mutes()
  return { harness, anna, ben, carl, publish, mutes }
}

const idOf = (guest: TestParticipant) => String(guest.userId)

describe('permissions', () => {
  it('MOD-1 stops and refuses what a moderator forbids to everybody, except from moderators', async () => {
    const { harness, anna, ben, carl, publish, mutes } = await lesson()
    publish(anna, 'screen')
    publish(ben, 'screen')
    publish(ben, 'screen_audio')
    publish(carl, 'camera')
    harness.events.take()
    await anna.execute('conference.set_permissions', { screen: false })
    expect(mutes()).toEqual(Array(2).fill(`mute ${ben.ref.sessionId} ${ben.id} screen`))
    const permissions = { microphone: true, camera: true, screen: false }
    const muted = { participant_id: ben.id, source: 'screen', by_participant_id: anna.id }
    expect(harness.events.take()).toMatchObject([
      { name: 'conference.permissions', body: { permissions } },
      { name: 'participant.muted', body: muted },
      { name: 'participant.muted', body: muted },
    ])
    const { participants } = harness
    for (const source of ['screen', 'screen_audio'] as const) {
      expect(() => participants.assertMayPublish(ben.ref, source)).toThrow('does not permit')
      participants.assertMayPublish(anna.ref, source)
    }
    participants.assertMayPublish(ben.ref, 'camera')
    expect(() => participants.assertMayPublish(ben.ref, 'screen')).toThrow(
      expect.objectContaining({ code: 'not_permitted', controlCode: 'permission_denied' }),
    )
    expect(() => participants.assertMayResume(ben.ref, `screen-${ben.id}`)).toThrow('does not permit')
    participants.assertMayResume(anna.ref, `screen-${anna.id}`)
  })

  it('MOD-1 counts every audio as a microphone, whatever its sender calls it', async () => {
    const { harness, anna, ben, publish, mutes } = await lesson()
    publish(ben, 'screen')
    publish(ben, 'screen_audio')
    await anna.execute('conference.set_permissions', { microphone: false })
    expect(mutes()).toEqual([`mute ${ben.ref.sessionId} ${ben.id} audio`])
    const { participants } = harness
    expect(() => participants.assertMayPublish(ben.ref, 'screen_audio')).toThrow('does not permit')
    expect(() => participants.assertMayResume(ben.ref, `screen_audio-${ben.id}`)).toThrow('does not permit')
    participants.assertMayPublish(ben.ref, 'screen')
    publish(ben, 'screen_audio')
    expect(mutes()).toEqual([`mute ${ben.ref.sessionId} ${ben.id} audio`])
    await anna.execute('participant.set_permissions', { user_id: idOf(ben), microphone: true })
    participants.assertMayPublish(ben.ref, 'screen_audio')
  })

  it('MOD-4 does not resume what is not announced yet, unless every source is permitted', async () => {
    const { harness, anna, ben } = await lesson()
    const { participants } = harness
    participants.assertMayResume(ben.ref, 'unannounced')
    await anna.execute('conference.set_permissions', { camera: false })
    expect(() => participants.assertMayResume(ben.ref, 'unannounced')).toThrow('does not permit')
    participants.assertMayResume(anna.ref, 'unannounced')
    for (const ref of [
      { ...ben.ref, participantId: 'nobody' },
      { ...ben.ref, sessionId: 99 },
    ])
      expect(() => participants.assertMayPublish(ref, 'microphone')).toThrow()
  })

  it('MOD-2 makes exceptions for a person on all devices, until they are lifted', async () => {
    const { harness, anna, ben, carl } = await lesson()
    const { participants } = harness
    const phone = await harness.join('ben', 'participant', 2)
    await anna.execute('conference.set_permissions', { microphone: false })
    await anna.execute('participant.set_permissions', { user_id: idOf(ben), microphone: true, camera: false })
    for (const { ref } of [ben, phone]) {
      participants.assertMayPublish(ref, 'microphone')
      expect(() => participants.assertMayPublish(ref, 'camera')).toThrow('does not permit')
    }
    expect(() => participants.assertMayPublish(carl.ref, 'microphone')).toThrow('does not permit')
    participants.assertMayPublish(carl.ref, 'camera')
    harness.events.take()
    await anna.execute('participant.set_permissions', { user_id: idOf(ben), microphone: null, camera: null })
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.permissions', body: { person: { user_id: idOf(ben) } } },
    ])
    expect(() => participants.assertMayPublish(ben.ref, 'microphone')).toThrow('does not permit')
    participants.assertMayPublish(ben.ref, 'camera')
  })

  it('MOD-2 makes exceptions for a limited number of people', async () => {
    const { harness, anna, ben } = await lesson()
    const session = harness.registry.get(anna.ref.sessionId)
    if (!session) throw new Error('there is no session')
    const exceptions = Array.from({ length: PERSON_PERMISSIONS_MAX }, (_, i) => ({
      userId: 100_000 + i,
      chat: false,
    }))
    session.moderation = { ...session.moderation, exceptions }
    const allow = (user_id: string) => anna.execute('participant.set_permissions', { user_id, chat: true })
    await refuses(allow(idOf(ben)), 'too_many_person_permissions')
    await allow('100000') // a changed exception is not another one
    await anna.execute('participant.set_permissions', { user_id: '100001', chat: null })
    await allow(idOf(ben))
  })

  it('MOD-2 lets a person write in a read-only chat, or keeps one from writing', async () => {
    const { anna, ben, carl } = await lesson()
    await anna.execute('participant.set_permissions', { user_id: idOf(ben), chat: false })
    await refuses(ben.execute('chat.send', { text: 'hello' }), 'read_only')
    await carl.execute('chat.send', { text: 'hello' })
    await anna.execute('chat.set_mode', { mode: 'read_only' })
    await anna.execute('participant.set_permissions', { user_id: idOf(ben), chat: true })
    await ben.execute('chat.send', { text: 'hello' })
    await refuses(carl.execute('chat.send', { text: 'again' }), 'read_only')
    await anna.execute('chat.send', { text: 'hello' })
  })

  it('MOD-3 is up to moderators, and publishes nothing when nothing changes', async () => {
    const { harness, anna, ben, carl } = await lesson()
    const user_id = idOf(carl)
    await refuses(ben.execute('conference.set_permissions', { camera: false }), 'not_moderator')
    await refuses(ben.execute('participant.set_permissions', { user_id, camera: false }), 'not_moderator')
    await refuses(ben.execute('conference.set_spotlight', { user_id }), 'not_moderator')
    await refuses(ben.execute('participant.lower_hands', {}), 'not_moderator')
    const unknown = { user_id: '999', camera: false }
    await refuses(anna.execute('participant.set_permissions', unknown), 'no_such_participant')
    await anna.execute('conference.set_permissions', { camera: true })
    await anna.execute('participant.set_permissions', { user_id, camera: null })
    await anna.execute('conference.set_spotlight', { user_id: null })
    await anna.execute('participant.lower_hands', {})
    expect(harness.events.take()).toEqual([])
  })

  it('MOD-4 mutes a publication that began while the permission was revoked', async () => {
    const { harness, anna, ben, publish, mutes } = await lesson()
    await anna.execute('conference.set_permissions', { camera: false })
    publish(ben, 'camera', true)
    expect(mutes()).toEqual([])
    harness.events.take()
    publish(ben, 'camera')
    expect(mutes()).toEqual([`mute ${ben.ref.sessionId} ${ben.id} video`])
    // Or the page of the sender would show a camera that nobody sees.
    expect(harness.events.take()).toMatchObject([
      { name: 'publication.changed' },
      { name: 'participant.muted', body: { participant_id: ben.id, source: 'video' } },
    ])
  })
})

describe('permissions of a role', () => {
  it('MOD-4 mutes what a former moderator may no longer send', async () => {
    const { harness, anna, publish, mutes } = await lesson()
    await anna.execute('conference.set_permissions', { camera: false })
    publish(anna, 'camera')
    await anna.reconnect('moderator')
    expect(mutes()).toEqual([])
    harness.events.take()
    await anna.reconnect('participant')
    expect(mutes()).toEqual([`mute ${anna.ref.sessionId} ${anna.id} video`])
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.changed' },
      {
        name: 'participant.muted',
        body: { participant_id: anna.id, source: 'video', by_participant_id: 'platform' },
      },
    ])
  })
})

describe('spotlight', () => {
  it('MOD-5 shows a person to everybody', async () => {
    const { harness, anna, ben } = await lesson()
    await refuses(anna.execute('conference.set_spotlight', { user_id: '999' }), 'no_such_participant')
    await anna.execute('conference.set_spotlight', { user_id: idOf(ben) })
    expect(harness.events.take()).toMatchObject([
      { name: 'conference.spotlight', body: { user_id: idOf(ben) } },
    ])
    expect(harness.registry.state(ben.ref.sessionId)?.state.spotlight_user_id).toBe(idOf(ben))
    await anna.execute('conference.set_spotlight', { user_id: null })
    expect(harness.registry.state(ben.ref.sessionId)?.state.spotlight_user_id).toBeNull()
  })
})

describe('hands', () => {
  it('MOD-6 lowers all, also those of people who have not returned since a restart', async () => {
    const { harness, ben } = await lesson()
    await ben.execute('participant.update', { hand_raised: true })
    await harness.restart()
    const anna = await harness.join('anna', 'moderator')
    const carl = await harness.join('carl')
    await carl.execute('participant.update', { hand_raised: true })
    await anna.execute('participant.lower_hands', {})
    expect(carl.view()?.hand_raised_at_ms).toBeNull()
    expect((await harness.join('ben')).view()?.hand_raised_at_ms).toBeNull()
  })
})

describe('a restart of the server', () => {
  it('MOD-7 keeps permissions, exceptions and the spotlight until the session ends', async () => {
    const { harness, anna, ben } = await lesson()
    await anna.execute('conference.set_permissions', { camera: false })
    await anna.execute('participant.set_permissions', { user_id: idOf(ben), camera: true })
    await anna.execute('conference.set_spotlight', { user_id: idOf(ben) })
    await harness.restart()
    const returned = await harness.join('ben')
    const expected = {
      permissions: { microphone: true, camera: false, screen: true },
      person_permissions: [{ user_id: idOf(ben), camera: true }],
      spotlight_user_id: idOf(ben),
    }
    expect(harness.registry.state(returned.ref.sessionId)?.state).toMatchObject(expected)
    await returned.leave()
    await harness.advance(GRACE)
    const later = await harness.join('ben')
    expect(harness.registry.state(later.ref.sessionId)?.state).toMatchObject({
      permissions: { microphone: true, camera: true, screen: true },
      person_permissions: [],
      spotlight_user_id: null,
    })
  })
})

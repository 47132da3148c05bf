import type { MediaSource } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { canReact } from './policy.ts'
import type { ConferenceSettings } from './ports.ts'
import { openTestHarness, refuses, TAG } from './testing/test-harness.ts'

const usual: ConferenceSettings = {
  recording: 'automatic',
  recordingFormat: 'mkv',
  transcription: null,
  hasLobby: false,
  participantsMax: null,
  features: { chat: true, files: true, screen_sharing: true, reactions: true, captions: true },
}

async function openRoom(settings: Partial<ConferenceSettings>) {
  const harness = await openTestHarness()
  const conference = harness.directory.known.get(TAG)
  if (conference) harness.directory.known.set(TAG, { ...conference, settings: { ...usual, ...settings } })
  return harness
}

describe('settings of a room', () => {
  it('let students with a link wait in the lobby, and nobody who moderates', async () => {
    const harness = await openRoom({ hasLobby: true })
    await harness.join('anna', 'moderator')
    await refuses(harness.join('ben'), 'approval')
    expect(await harness.enterLobby('ben', 'participant')).toBe('approval')
  })

  it('limit how many are inside', async () => {
    const harness = await openRoom({ participantsMax: 1 })
    await harness.join('anna')
    await refuses(harness.join('ben'), 'full')
  })

  it('permit nobody what the partner has turned off', async () => {
    const off = { chat: false, files: true, screen_sharing: false, reactions: false, captions: false }
    const harness = await openRoom({ features: off })
    const anna = await harness.join('anna', 'moderator')
    await refuses(anna.execute('chat.send', { text: 'Hello' }), 'read_only')
    for (const source of ['screen', 'screen_audio'] as const)
      expect(() => harness.participants.assertMayPublish(anna.ref, source)).toThrow()
    harness.participants.assertMayPublish(anna.ref, 'microphone')
    const session = harness.registry.get(anna.ref.sessionId)
    const self = session?.participants.get(anna.id)
    expect(session && self && canReact(session, self)).toBe(false)
    const speech = { participant_id: anna.id, user_id: '1', display_name: 'anna', text: 'Hello', at_ms: 1 }
    harness.reports.addPhrases(anna.ref.sessionId, [{ phrase_id: 'a.1', ...speech }])
    expect(session?.phrases).toEqual([])
  })

  it('hold from the moment on in which another server takes the session over', async () => {
    const harness = await openRoom({ features: { ...usual.features, captions: false } })
    const { ref, id } = await harness.join('anna', 'moderator')
    await harness.restart()
    await harness.conferences.ensureHere({ tag: TAG, sessionId: ref.sessionId })
    const speech = { participant_id: id, user_id: '1', display_name: 'anna', text: 'Hello', at_ms: 1 }
    harness.reports.addPhrases(ref.sessionId, [{ phrase_id: 'a.1', ...speech }])
    expect(harness.registry.get(ref.sessionId)?.phrases).toEqual([])
  })

  const openWithObserver = async () => {
    const harness = await openRoom({})
    const anna = await harness.join('anna', 'moderator')
    let connections = 0
    /** The partner's person, by the link. */
    const joinAs = async (isObserver: boolean, linkRole: 'participant' | null = 'participant') => {
      const person = { userId: 4242, displayName: 'Olga', linkRole, isObserver }
      const connectionId = `c-${++connections}`
      return harness.participants.join(TAG, { ...person, connectionId, isGuest: false, isResumable: false })
    }
    const permit = (changes: Record<string, boolean | null>) =>
      anna.execute('participant.set_permissions', { user_id: '4242', ...changes })
    return { harness, anna, joinAs, permit }
  }

  it('let observers send nothing unless a moderator permits it', async () => {
    const { harness, anna, joinAs, permit } = await openWithObserver()
    const { participant } = await joinAs(true)
    const check = (source: MediaSource) => () => harness.participants.assertMayPublish(participant, source)
    for (const source of ['microphone', 'camera', 'screen'] as const) expect(check(source)).toThrow()
    await joinAs(false, null) // by the plain link
    expect(check('microphone')).toThrow()
    expect(() => harness.participants.assertMayPublish(anna.ref, 'microphone')).not.toThrow()
    await permit({ microphone: true })
    await joinAs(true)
    expect(check('microphone')).not.toThrow()
    expect(check('camera')).toThrow()
    await permit({ microphone: null, camera: null, screen: null, chat: null })
    await joinAs(true)
    expect(check('camera')).not.toThrow()
    expect(harness.registry.state(participant.sessionId)?.state.person_permissions).toEqual([])
  })

  it('let those send who are observers no more, and nothing those who have become one', async () => {
    const { harness, joinAs, permit } = await openWithObserver()
    const { participant } = await joinAs(true)
    const check = (source: MediaSource) => () => harness.participants.assertMayPublish(participant, source)
    await joinAs(false)
    expect(check('camera')).not.toThrow()
    expect(harness.registry.state(participant.sessionId)?.state.person_permissions).toEqual([])
    await permit({ microphone: false })
    await joinAs(false)
    expect(check('microphone')).toThrow()
    await permit({ microphone: null, screen: true })
    await joinAs(true)
    expect(check('screen')).not.toThrow()
    expect(check('camera')).toThrow()
  })
})

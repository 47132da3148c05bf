import { describe, expect, it } from 'vitest'
import type { RunningMedia } from '../ports.ts'
import {
  GRACE,
  namesOf,
  openTestHarness,
  TAG,
  type TestHarness,
  type TestParticipant,
  userIdOf,
} from '../testing/test-harness.ts'

const camera = (publication_id: string, participant_id: string) =>
  ({ publication_id, participant_id, source: 'camera', paused: false }) as const

/** Media that continues while the session has no server. */
function running(...people: TestParticipant[]): RunningMedia {
  return {
    route: { rtc_node_id: 'w1', route_generation: '7', rtc_node_ids: ['w1'] },
    memberIds: people.map(({ id }) => id),
    publications: people.map(({ id }) => camera(`camera of ${id}`, id)),
  }
}

/** Another server takes the session over, with its media. */
async function takeOver(
  harness: TestHarness,
  left: RunningMedia,
  participant: TestParticipant,
): Promise<void> {
  harness.runningMedia.set(participant.ref.sessionId, left)
  harness.events.take()
  await harness.restart()
}

const stateOf = (harness: TestHarness, { ref }: TestParticipant) => {
  const state = harness.registry.state(ref.sessionId)?.state
  if (!state) throw new Error('the session is not open')
  return state
}

const resume = (harness: TestHarness, name: string, changes: object = {}) =>
  harness.participants.resumeConnection(`${name}-1`, () => ({
    userId: userIdOf(name),
    displayName: 'ignored',
    linkRole: 'participant',
    connectionId: `${name}-1`,
    isResumable: true,
    isGuest: false,
    ...changes,
  }))

describe('taking a session over', () => {
  it('RESTORE-4 keeps participants, publications and the route, with everybody away at first', async () => {
    const harness = await openTestHarness()
    const [anna, ben] = [await harness.join('anna', 'moderator'), await harness.join('ben')]
    await ben.execute('participant.update', { hand_raised: true, display_name: 'Benjamin' })
    const before = stateOf(harness, anna)
    harness.now += 1_000
    await takeOver(harness, running(anna, ben), anna)

    const state = stateOf(harness, anna)
    expect(state.participants).toEqual(before.participants.map(each => ({ ...each, presence: 'away' })))
    expect(state.publications).toEqual([anna, ben].map(({ id }) => camera(`camera of ${id}`, id)))
    expect(state.media).toEqual({ rtc_node_id: 'w1', route_generation: '7', rtc_node_ids: ['w1'] })
    expect(namesOf(harness.events.take())).toEqual(['participant.joined', 'participant.joined'])
  })

  it('connects participants again with the role that they have now', async () => {
    const harness = await openTestHarness()
    const [anna, ben] = [await harness.join('anna', 'moderator'), await harness.join('ben')]
    await takeOver(harness, running(anna, ben), anna)
    const { sessionId } = anna.ref
    expect(await resume(harness, 'anna')).toEqual([{ tag: TAG, sessionId, participantId: anna.id }])
    expect(anna.view()).toMatchObject({ presence: 'here', role: 'participant', display_name: 'anna' })
    expect(ben.view()).toMatchObject({ presence: 'away' })
    expect(harness.jobs.calls.filter(call => call.startsWith('began'))).toHaveLength(2)
    await ben.reconnect()
    await anna.execute('chat.send', { text: 'still here' })
    expect(await harness.join('cara').then(({ id }) => id)).not.toBe(anna.id)
  })

  it('removes participants who do not return within the grace time, with their media', async () => {
    const harness = await openTestHarness()
    const [anna, ben] = [await harness.join('anna'), await harness.join('ben')]
    await takeOver(harness, running(anna, ben), anna)
    await resume(harness, 'anna')
    harness.events.take()
    await harness.advance(GRACE - 1)
    expect(stateOf(harness, anna).participants).toHaveLength(2)
    await harness.advance(1)
    expect(stateOf(harness, anna).participants).toHaveLength(1)
    expect(stateOf(harness, anna).publications).toHaveLength(1)
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.left', body: { participant_id: ben.id, reason: 'lost' } },
    ])
    expect(harness.media.calls).toContain(`closeParticipant ${ben.ref.sessionId} ${ben.id}`)
    expect(await resume(harness, 'ben')).toEqual([])
    expect(await harness.parts.participants.list(anna.ref.sessionId)).toHaveLength(1)
  })

  it('closes the media of observers who do not return, and keeps that of the others', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna')
    const left = running(anna)
    await takeOver(harness, { ...left, memberIds: [...left.memberIds, 'job-1', 'job-2'] }, anna)
    await resume(harness, 'anna')
    harness.events.subscribers.add('job-1')
    await harness.advance(GRACE)
    const { sessionId } = anna.ref
    expect(harness.media.calls.filter(call => call.startsWith('closeParticipant'))).toEqual([
      `closeParticipant ${sessionId} job-2`,
    ])
  })

  it('stops media that moderators have forbidden without a notification of the media server', async () => {
    const harness = await openTestHarness()
    const [anna, ben] = [await harness.join('anna', 'moderator'), await harness.join('ben')]
    await anna.execute('conference.set_permissions', { camera: false })
    await takeOver(harness, running(anna, ben), anna)
    expect(harness.media.calls).toContain(`mute ${ben.ref.sessionId} ${ben.id} video`)
    expect(harness.media.calls).not.toContain(`mute ${anna.ref.sessionId} ${anna.id} video`)
  })

  it('drops publications of people who have left', async () => {
    const harness = await openTestHarness()
    const [anna, ben] = [await harness.join('anna'), await harness.join('ben')]
    const left = running(anna, ben)
    await ben.leave()
    await takeOver(harness, left, anna)
    expect(stateOf(harness, anna).publications).toEqual([camera(`camera of ${anna.id}`, anna.id)])
  })

  it('keeps no participants without media to continue: people join again', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna')
    await harness.restart()
    expect(stateOf(harness, anna).participants).toEqual([])
    expect(await resume(harness, 'anna')).toEqual([])
    expect(await harness.parts.participants.list(anna.ref.sessionId)).toEqual([])
    expect((await harness.join('anna')).id).not.toBe(anna.id)
  })

  it('refuses other accounts, other connections, and people who may no longer enter', async () => {
    const harness = await openTestHarness()
    const [anna, ben] = [await harness.join('anna', 'moderator'), await harness.join('ben')]
    await takeOver(harness, running(anna, ben), anna)
    expect(await resume(harness, 'ben', { userId: userIdOf('eve') })).toEqual([])
    expect(await resume(harness, 'eve')).toEqual([])
    expect(
      await harness.participants.resumeConnection('ben-1', () => ({ ...other(), connectionId: 'ben-2' })),
    ).toEqual([])
    harness.entry = 'closed'
    expect(await resume(harness, 'ben', { linkRole: null })).toEqual([]) // the link was rotated
    harness.entry = 'open'
    await resume(harness, 'anna', { linkRole: 'moderator' })
    await anna.execute('participant.remove', { participant_id: ben.id })
    expect(await resume(harness, 'ben')).toEqual([])
    harness.directory.closed.add(TAG)
    expect(await resume(harness, 'anna')).toEqual([])
  })

  it('drops a removed participant although the row remained', async () => {
    const harness = await openTestHarness(parts => ({
      ...parts,
      participants: {
        ...parts.participants,
        remove: async () => Promise.reject(new Error('the store is away')),
      },
    }))
    const [anna, ben] = [await harness.join('anna', 'moderator'), await harness.join('ben')]
    await anna.execute('participant.remove', { participant_id: ben.id })
    expect(harness.failures).toEqual(['a participant who has left was not removed from the store'])
    await takeOver(harness, running(anna, ben), anna)
    expect(stateOf(harness, anna).participants.map(each => each.participant_id)).toEqual([anna.id])
  })

  it('stores no connection that cannot be resumed', async () => {
    const harness = await openTestHarness()
    const { participant } = await harness.participants.join(TAG, { ...other(), isResumable: false })
    expect(await harness.parts.participants.list(participant.sessionId)).toEqual([])
  })

  it('removes its participants when the session ends', async () => {
    const harness = await openTestHarness()
    const { ref } = await harness.join('anna')
    await harness.conferences.end(TAG, 'closed')
    await expect.poll(() => harness.parts.participants.list(ref.sessionId)).toEqual([])
  })
})

const other = () => ({
  userId: userIdOf('ben'),
  displayName: 'ben',
  linkRole: 'participant' as const,
  connectionId: 'ben-1',
  isResumable: true,
  isGuest: false,
})

import { Refusal } from '@lectern/protocol'
import type { Envelopes } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { type ControlHarness, createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

type Ready = Extract<Envelopes['control_sync_result'], { status: 'ready' }>

const GRACE_MS = 30_000
const DAY_MS = 24 * 3_600_000

/** The server has failed, the media of the session continues, and another server runs it. */
async function takeOver(harness: ControlHarness, ...people: RawClient[]): Promise<void> {
  const [first] = people
  harness.runningMedia.set(Number(first?.sessionId), {
    route: null,
    memberIds: people.map(({ participantId }) => participantId),
    publications: [],
  })
  await harness.restart()
}

const both = async () => {
  const harness = await createHarness()
  const anna = await harness.enter('anna', 'moderator')
  const ben = await harness.enter('ben')
  return { harness, anna, ben }
}

const participantsOf = (harness: ControlHarness, { sessionId }: RawClient) =>
  harness.registry.state(Number(sessionId))?.state.participants ?? []

async function resume(client: RawClient, token = client.resumeToken) {
  await client.login()
  return client.resume([], token)
}

describe('a connection whose server has failed', () => {
  it('Y13 Y14 continues on another server: the same participant, the next generation, the whole state', async () => {
    const { harness, anna, ben } = await both()
    const { participantId, binding } = ben
    await takeOver(harness, anna, ben)
    await resume(anna)
    const result = (await resume(ben)) as Ready
    expect(result.status).toBe('ready')
    expect(result.binding).toEqual({ ...binding, binding_generation: '2' })
    expect(result.streams.map(({ stream_id }) => stream_id)).toEqual([
      'account:2',
      `session:${ben.sessionId}`,
    ])
    const state = ben.snapshots().find(({ stream_id }) => stream_id.startsWith('session:'))?.state
    expect(state?.participants).toMatchObject([
      { participant_id: anna.participantId, role: 'moderator', presence: 'here' },
      { participant_id: participantId, presence: 'here' },
    ])
    const sent = await ben.command('chat.send', { text: 'hello' })
    expect(sent.status).toBe('committed')
    expect(anna.eventNames()).toEqual(['participant.changed', 'chat.message'])
  })

  it('Y14 shows the others as away until they return, and removes those who do not', async () => {
    const { harness, anna, ben } = await both()
    await takeOver(harness, anna, ben)
    await resume(anna)
    expect(participantsOf(harness, anna).map(({ presence }) => presence)).toEqual(['here', 'away'])
    await harness.pass(GRACE_MS)
    expect(participantsOf(harness, anna)).toHaveLength(1)
    expect((await resume(ben)).status).toBe('resume_rejected')
    expect((await ben.fresh()).status).toBe('ready')
    await ben.join()
    expect(participantsOf(harness, anna)).toHaveLength(2)
  })

  it('Y13 is refused to other accounts and instances, with forged tokens and after a day', async () => {
    const { harness, anna, ben } = await both()
    await takeOver(harness, anna, ben)
    const thief = harness.client('cara', `participant@${TAG}`)
    Object.assign(thief, { binding: ben.binding, instanceId: ben.instanceId })
    expect((await resume(thief, ben.resumeToken)).status).toBe('resume_rejected')
    const { instanceId, resumeToken } = ben
    ben.instanceId = 'another instance'
    expect((await resume(ben)).status).toBe('resume_rejected')
    ben.instanceId = instanceId
    expect((await resume(ben, `${resumeToken.slice(0, -1)}!`)).status).toBe('resume_rejected')
    expect((await resume(ben, anna.resumeToken)).status).toBe('resume_rejected')
    harness.now += DAY_MS
    expect((await resume(ben)).status).toBe('resume_rejected')
    harness.now -= DAY_MS
    expect((await resume(ben)).status).toBe('ready')
  })

  it('Y13 is refused after a loss of access: removed, disabled, room closed, link rotated', async () => {
    const { harness, anna, ben } = await both()
    const cara = await harness.enter('cara')
    await anna.command('participant.remove', { participant_id: cara.participantId })
    await takeOver(harness, anna, ben, cara)
    expect((await resume(cara)).status).toBe('resume_rejected')
    harness.authenticator.refuse(`participant@${TAG}`, new Refusal('link_rotated'))
    expect(await ben.login()).toMatchObject({ ok: false, error: { code: 'link_rotated' } })
    harness.authenticator.refused.clear()
    harness.directory.closed.add(TAG)
    expect((await resume(ben)).status).toBe('resume_rejected')
    expect(participantsOf(harness, anna).map(({ presence }) => presence)).toEqual(['away', 'away'])
  })

  it('Y14 continues on the last of two sockets with one token', async () => {
    const { harness, anna, ben } = await both()
    await takeOver(harness, anna, ben)
    const twin = harness.client('ben', `participant@${TAG}`)
    Object.assign(twin, { binding: ben.binding, instanceId: ben.instanceId })
    const token = ben.resumeToken
    expect((await resume(ben, token)).status).toBe('ready')
    expect((await resume(twin, token)).status).toBe('ready')
    expect(ben.socket.closedWith).toEqual({ code: 4409, reason: 'superseded' })
    expect(twin.binding.binding_generation).toBe('3')
    expect(participantsOf(harness, anna)).toHaveLength(2)
    // The client has shown that it has its new token: the old one is a replay.
    await twin.command('participant.update', { hand_raised: true })
    expect((await resume(ben, token)).status).toBe('resume_rejected')
    expect(twin.socket.closedWith).toBeNull()
  })

  it('Y14 remains one connection when two sockets resume it at the same moment', async () => {
    const { harness, anna, ben } = await both()
    await takeOver(harness, anna, ben)
    const twin = harness.client('ben', `participant@${TAG}`)
    Object.assign(twin, { binding: ben.binding, instanceId: ben.instanceId })
    await Promise.all([ben.login(), twin.login()])
    const results = await Promise.all(
      [ben.resume(), twin.resume([], ben.resumeToken)].map(each => each.catch(() => null)),
    )
    expect(results.some(result => result?.status === 'ready')).toBe(true)
    expect(participantsOf(harness, anna)).toHaveLength(2)
    expect([ben, twin].filter(({ socket }) => socket.closedWith?.reason === 'superseded')).toHaveLength(1)
  })

  it('Y15 must join again when its session is not continued, or it was in none', async () => {
    const { harness, ben } = await both()
    const cara = await harness.connect('cara')
    await harness.restart()
    expect((await resume(ben)).status).toBe('resume_rejected')
    expect((await resume(cara)).status).toBe('resume_rejected')
  })

  it('Y15 must join again when it loses its session while its account is being opened', async () => {
    const { harness, anna, ben } = await both()
    await takeOver(harness, anna, ben)
    const { accounts } = harness.streams
    const subscribe = accounts.subscribe.bind(accounts)
    accounts.subscribe = async (...account) => {
      await harness.conferences.end(TAG, 'ended')
      return subscribe(...account)
    }
    expect((await resume(ben)).status).toBe('resume_rejected')
    expect((await ben.fresh()).status).toBe('ready')
  })

  it('Y14 is away while its account cannot be opened, and continues afterwards', async () => {
    const { harness, anna, ben } = await both()
    await takeOver(harness, anna, ben)
    await resume(anna)
    const { accounts } = harness.streams
    const { subscribe } = accounts
    accounts.subscribe = async () => {
      throw new Error('the store is away')
    }
    expect((await resume(ben)).status).toBe('retry_later')
    accounts.subscribe = subscribe
    const presences = () => participantsOf(harness, anna).map(({ presence }) => presence)
    expect(presences()).toEqual(['here', 'away'])
    expect((await ben.resume()).status).toBe('ready')
    expect(presences()).toEqual(['here', 'here'])
  })
})

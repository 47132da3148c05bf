import type { Envelopes } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { type ControlHarness, createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const SUPERSEDED = { code: 4409, reason: 'superseded' }

/** The same instance on another socket, logged in. */
async function onAnotherSocket(harness: ControlHarness, client: RawClient): Promise<RawClient> {
  const other = harness.client('ben', `participant@${TAG}`)
  const { instanceId, binding, resumeToken, sessionId, participantId } = client
  Object.assign(other, { instanceId, binding, resumeToken, sessionId, participantId })
  await other.login()
  return other
}

const both = async () => {
  const harness = await createHarness()
  const [anna, ben] = [await harness.enter('anna', 'moderator'), await harness.enter('ben')]
  const other = await onAnotherSocket(harness, ben)
  for (const client of [anna, ben, other]) client.socket.received.length = 0
  return { harness, anna, ben, other }
}

/** Nothing is stored before the function returned is called. */
function holdChat({ chat }: ControlHarness): () => void {
  const { append } = chat
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  chat.append = async (...draft) => {
    await held
    return append(...draft)
  }
  return release
}

const frame = (client: RawClient, requestId: string, more: object) =>
  JSON.stringify({
    control_sync: { request_id: requestId, control_instance_id: client.instanceId, cursors: [], ...more },
  })
const freshFrame = (client: RawClient, requestId: string) => frame(client, requestId, { mode: 'fresh' })
const resumeFrame = (client: RawClient, requestId: string) =>
  frame(client, requestId, {
    mode: 'resume',
    resume: { binding: client.binding, resume_token: client.resumeToken },
  })

const readyOnes = (client: RawClient) =>
  client.take('control_sync_result').filter(({ status }) => status === 'ready') as Extract<
    Envelopes['control_sync_result'],
    { status: 'ready' }
  >[]

describe('a superseded connection', () => {
  it('Y11 is closed when the same instance syncs fresh on another socket', async () => {
    const { ben, other } = await both()
    expect((await other.fresh()).status).toBe('ready')
    expect(ben.socket.closedWith).toEqual(SUPERSEDED)
    await ben.resync().catch(() => {})
    await ben.command('chat.send', { text: 'x' })
    expect(ben.socket.received).toEqual([])
  })

  it('Y11 is closed when the same instance resumes on another socket', async () => {
    const { anna, ben, other } = await both()
    expect((await other.resume()).status).toBe('ready')
    expect(ben.socket.closedWith).toEqual(SUPERSEDED)
    expect(anna.eventNames()).toEqual([])
  })

  it('Y11 does not affect other accounts and other instances', async () => {
    const { harness, anna, ben } = await both()
    anna.instanceId = ben.instanceId
    const phone = await harness.connect('ben')
    expect(phone.instanceId).toBe(ben.instanceId) // by the same name
    expect(anna.socket.closedWith).toBeNull()
    phone.instanceId = 'phone'
    await phone.drop()
    await phone.login()
    await phone.fresh()
    expect(anna.socket.closedWith).toBeNull()
  })

  it('Y11 is the first of two simultaneous fresh syncs; the last one has all its streams', async () => {
    const { harness, ben, other } = await both()
    const third = await onAnotherSocket(harness, ben)
    void other.send(freshFrame(other, 'r1'))
    void third.send(freshFrame(third, 'r2'))
    await harness.settle()
    expect(other.socket.closedWith).toEqual(SUPERSEDED)
    expect(readyOnes(other).every(({ streams }) => streams.length > 0)).toBe(true)
    const [result] = readyOnes(third)
    expect(result?.streams).toHaveLength(1)
    third.binding = (result as NonNullable<typeof result>).binding
    expect((await third.join()).status).toBe('applied')
  })

  it('Y11 is the first of two simultaneous resumes, and receives nothing else', async () => {
    const { harness, anna, ben, other } = await both()
    const third = await onAnotherSocket(harness, ben)
    void other.send(resumeFrame(other, 'r1'))
    void third.send(resumeFrame(third, 'r2'))
    await harness.settle()
    expect(other.socket.closedWith).toEqual(SUPERSEDED)
    expect(other.socket.received).toEqual([])
    expect(readyOnes(third)).toMatchObject([{ binding: { binding_generation: '2' } }])
    expect(anna.eventNames()).toEqual([])
  })

  it('Y11 is replaced by a fresh sync during a resume, and by a resume during a fresh sync', async () => {
    const { harness, ben, other } = await both()
    const third = await onAnotherSocket(harness, ben)
    void other.send(resumeFrame(other, 'r1'))
    void third.send(freshFrame(third, 'r2'))
    await harness.settle()
    expect(other.socket.closedWith).toEqual(SUPERSEDED)
    expect(other.socket.received).toEqual([])
    expect(readyOnes(third)).toHaveLength(1)

    const fourth = await onAnotherSocket(harness, ben)
    const fifth = await onAnotherSocket(harness, ben)
    void fourth.send(freshFrame(fourth, 'r3'))
    void fifth.send(resumeFrame(fifth, 'r4')) // of what is over
    await harness.settle()
    expect(readyOnes(fourth)).toMatchObject([{ streams: [{ stream_id: 'account:2' }] }])
    expect(fifth.take('control_sync_result')).toMatchObject([{ status: 'resume_rejected' }])
  })
})

describe('a sync on the socket that has a connection', () => {
  it('Y12 resumes that connection, which stays in its conferences', async () => {
    const { anna, ben } = await both()
    const { streams, binding } = (await ben.resume()) as ReturnType<typeof readyOnes>[0]
    expect(binding.binding_generation).toBe('2')
    expect(streams).toHaveLength(2)
    expect(anna.eventNames()).toEqual([])
    expect((await ben.command('chat.send', { text: 'x' })).status).toBe('committed')
  })

  it.each([
    ['deployment_id', 'other'],
    ['tenant_id', 'other'],
    ['logical_connection_id', 'c.other'],
    ['binding_generation', '2'],
  ] as const)('Y12 refuses a resume with another %s, and changes nothing', async (key, value) => {
    const { anna, ben } = await both()
    const { binding } = ben
    ben.binding = { ...binding, [key]: value }
    expect(await ben.resume()).toMatchObject({ status: 'resume_rejected' })
    ben.binding = binding
    expect((await ben.command('chat.send', { text: 'x' })).status).toBe('committed')
    expect(anna.eventNames()).toEqual(['chat.message'])
  })

  it('Y12 validates the generation that belongs to the token, also after lost answers', async () => {
    const { harness, ben } = await both()
    const { binding, resumeToken } = ben
    for (const generation of ['2', '3']) {
      await ben.drop()
      await ben.login()
      Object.assign(ben, { binding, resumeToken }) // the answer was lost
      expect(await ben.resume()).toMatchObject({ binding: { binding_generation: generation } })
    }
    const latest = ben.binding
    await ben.drop()
    await ben.login()
    ben.binding = { ...latest, binding_generation: '2' }
    expect((await ben.resume()).status).toBe('resume_rejected')
    ben.binding = latest
    expect((await ben.resume()).status).toBe('ready')
    expect(harness.conferences.size.participants).toBe(2)
  })

  it('Y12 answers commands in flight after a resume, and before a fresh sync', async () => {
    const { harness, ben } = await both()
    const release = holdChat(harness)
    const send = (id: string) => ben.command('chat.send', { text: id }, undefined, { command_id: id })
    await send('k1')
    await ben.resume()
    await send('k2')
    ben.socket.received.length = 0
    await ben.fresh()
    expect(ben.take('control_result')).toMatchObject([
      { command_id: 'k1', status: 'outcome_unknown', error: { code: 'outcome_unknown' } },
      { command_id: 'k2', status: 'outcome_unknown', error: { code: 'outcome_unknown' } },
    ])
    release()
    await harness.settle()
    expect(ben.take('control_result')).toEqual([]) // each once
    expect(await send('k1')).toMatchObject({ status: 'committed' })
  })

  it('Y12 answers a command that ends after a resume with the new binding', async () => {
    const { harness, ben } = await both()
    const release = holdChat(harness)
    await ben.command('chat.send', { text: 'x' }, undefined, { command_id: 'k1' })
    await ben.resume()
    release()
    await harness.settle()
    expect(ben.take('control_result')).toMatchObject([
      { command_id: 'k1', status: 'committed', binding: { binding_generation: '2' } },
    ])
  })

  it('Y12 loses no connection whose socket breaks while it is resumed', async () => {
    const { harness, anna, ben, other } = await both()
    const release = holdChat(harness)
    await anna.command('chat.send', { text: 'x' }) // and nothing else happens in the conference
    await ben.drop()
    void other.send(resumeFrame(other, 'r1'))
    await harness.settle()
    await other.drop()
    release()
    await harness.settle()
    expect(anna.events().at(-1)).toMatchObject({ body: { participant: { presence: 'away' } } })
    await harness.pass(31_000)
    expect(anna.eventNames()).toEqual(['participant.left'])
  })

  it('Y12 ends the connection and keeps the socket when another instance syncs fresh', async () => {
    const { anna, ben } = await both()
    ben.instanceId = 'another'
    expect((await ben.fresh()).status).toBe('ready')
    expect(ben.socket.closedWith).toBeNull()
    expect(anna.eventNames()).toEqual(['participant.left'])
  })
})

import { describe, expect, it } from 'vitest'
import { createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const conference = { kind: 'conference', id: TAG }
interface V1Answer {
  id?: string
  result?: Record<string, unknown>
  error?: { code: string; message: string }
  event?: string
  data?: unknown
}

async function open(name: string, joinToken?: string) {
  const harness = await createHarness()
  const client = harness.client(name, joinToken)
  const result = await client.login(null)
  return { harness, client, result }
}

/** All answers since the last call. */
function takeAnswers(client: RawClient): V1Answer[] {
  const all: V1Answer[] = []
  for (let next = client.takeOther<V1Answer>(); next; next = client.takeOther<V1Answer>()) all.push(next)
  return all
}

async function ask(client: RawClient, request: object): Promise<V1Answer[]> {
  await client.send(JSON.stringify(request))
  return takeAnswers(client)
}

describe('a v1 session', () => {
  it('begins with a login without an offer', async () => {
    const { result } = await open('anna')
    expect(result).toEqual({ ok: true, user: expect.objectContaining({ login: 'anna' }) })
  })

  it('receives the state with the join and then the events', async () => {
    const { harness, client } = await open('anna', `moderator@${TAG}`)
    const ben = await harness.enter('ben')
    const answers = await ask(client, { id: '1', command: 'conference.join', target: conference, params: {} })
    expect(answers.find(({ id }) => id === '1')).toMatchObject({
      result: {
        role: 'moderator',
        state: { participants: [{ display_name: 'ben' }, { display_name: 'anna' }] },
      },
    })
    await ben.command('chat.send', { text: 'Hi' })
    expect(takeAnswers(client)).toMatchObject([{ event: 'chat.message', data: { message: { text: 'Hi' } } }])
  })

  it('needs no target while it has one membership', async () => {
    const { client } = await open('anna', `moderator@${TAG}`)
    await ask(client, { id: '1', command: 'conference.join', target: conference, params: {} })
    const sent = await ask(client, { id: '2', command: 'chat.send', params: { text: 'x' } })
    expect(sent.map(({ id, event }) => id ?? event)).toEqual(['chat.message', '2'])
    const locked = await ask(client, { id: '3', command: 'conference.set_lock', params: { locked: true } })
    expect(locked.at(-1)).toEqual({ id: '3', result: {} })
  })

  it('V2 receives the reason of a refusal', async () => {
    const { client } = await open('anna')
    for (const [request, code] of [
      [{ id: '1', command: 'nothing', target: conference, params: {} }, 'unsupported_feature'],
      [{ id: '1', command: 'nothing', params: {} }, 'unsupported_feature'],
      [{ id: '1', command: 'chat.send', params: { text: 'x' } }, 'invalid_argument'],
      [{ id: '1', command: 'conference.end', target: conference, params: {} }, 'permission_denied'],
      [{ id: '1', command: 'conference.join', target: conference, params: { a: 1 } }, 'invalid_argument'],
      [{ id: '1', command: 7 }, 'invalid_argument'],
    ] as const)
      expect(await ask(client, request)).toEqual([{ id: '1', error: { code, message: expect.any(String) } }])
    expect(client.socket.closedWith).toBeNull()
  })

  it('has no media: an endpoint could not be used (G13)', async () => {
    const { harness, client } = await open('anna', `moderator@${TAG}`)
    const media = { rtp_capabilities: { codecs: [], headerExtensions: [] } }
    const joined = await ask(client, {
      id: '1',
      command: 'conference.join',
      target: conference,
      params: { media },
    })
    expect(joined.find(({ id }) => id === '1')?.result).toMatchObject({ role: 'moderator' })
    expect(joined.find(({ id }) => id === '1')?.result).not.toHaveProperty('media')
    expect(await ask(client, { id: '2', command: 'media.open', params: {} })).toEqual([
      { id: '2', error: { code: 'unsupported_feature', message: 'Media needs version 2 of the protocol.' } },
    ])
    expect(harness.media.calls).toEqual([])
  })

  it('V1 is closed after a frame that cannot be answered', async () => {
    const { client } = await open('anna')
    await client.send('{"control_sync":{}}')
    expect(client.socket.closedWith).toEqual({ code: 4400, reason: 'invalid_argument' })
  })

  it('leaves its conferences when its socket closes', async () => {
    const { harness, client } = await open('anna')
    const ben = await harness.enter('ben')
    await ask(client, { id: '1', command: 'conference.join', target: conference, params: {} })
    ben.events()
    await client.drop()
    expect(ben.events()).toMatchObject([{ name: 'participant.left', body: { reason: 'left' } }])
  })
})

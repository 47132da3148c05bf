import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CallInfo, type CommandBody, directChat } from '@lectern/protocol/control'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  ClusterDevice,
  type ClusterServer,
  startTestCluster,
  type TestAccount,
  type TestCluster,
} from '../../testing/cluster.ts'
import { queryPostgres } from '../../testing/query.ts'
import { waitFor } from '../testing.ts'

/** Gets what native apps would get. */
async function startPushSender() {
  const received: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      received.push(body)
      response.writeHead(200).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, received, close: () => server.close() }
}

describe('whole servers of a cluster', () => {
  let cluster: TestCluster
  let pushes: Awaited<ReturnType<typeof startPushSender>>
  let [a, b] = [] as unknown as [ClusterServer, ClusterServer]
  let count = 0

  beforeAll(async () => {
    pushes = await startPushSender()
    cluster = await startTestCluster(['a', 'b'], {
      Conferences: { RingSeconds: '3' },
      Push: {
        Enabled: '1',
        NativeSenderUrl: pushes.url,
        NativeSenderSecret: 'a secret of the native sender, long enough',
      },
    })
    ;[a, b] = cluster.servers as [ClusterServer, ClusterServer]
  })
  afterAll(async () => {
    await cluster?.close()
    pushes?.close()
  })

  const devices: ClusterDevice[] = []
  afterEach(() => {
    for (const device of devices.splice(0)) device.close()
  })

  async function connect(server: ClusterServer, account: TestAccount): Promise<ClusterDevice> {
    const device = await ClusterDevice.connect(server, account)
    devices.push(device)
    await waitFor(() => device.state, `the state of ${account.login} on ${server.name}`)
    return device
  }

  /** Two accounts that are contacts, and a device of the first one on the first server. */
  async function createPair() {
    const suffix = ++count
    const [anna, ben] = await Promise.all([cluster.addUser(`anna${suffix}`), cluster.addUser(`ben${suffix}`)])
    return { anna, ben, chatId: directChat(anna.id, ben.id) }
  }

  async function befriend(one: ClusterDevice, other: ClusterDevice): Promise<void> {
    await one.client.command('contact.add', one.target, { login: other.login })
    await waitFor(() => other.state?.contacts.some(each => each.state === 'incoming'), 'the request')
    await other.client.command('contact.add', other.target, { user_id: String(one.userId) })
    await waitFor(() => presenceOf(one, other) === 'online' && presenceOf(other, one) === 'online')
  }

  const presenceOf = (one: ClusterDevice, other: ClusterDevice) =>
    one.state?.contacts.find(each => each.user_id === String(other.userId) && each.state === 'contact')
      ?.presence
  const read = (device: ClusterDevice, chatId: string) => {
    const chat = device.state?.conversations.find(each => each.chat_id === chatId)
    const message_id = chat?.last_message?.message_id ?? ''
    return device.client.command('message.read', { kind: 'chat', id: chatId }, { message_id })
  }
  const unread = (device: ClusterDevice, chatId: string) =>
    device.state?.conversations.find(each => each.chat_id === chatId)?.unread
  const lastText = (device: ClusterDevice, chatId: string) =>
    device.state?.conversations.find(each => each.chat_id === chatId)?.last_message?.text
  const send = (device: ClusterDevice, chatId: string, text: string) =>
    device.client.command('message.send', { kind: 'chat', id: chatId }, { text })

  async function invite(from: ClusterDevice, to: ClusterDevice): Promise<CallInfo> {
    const body: CommandBody<'call.invite'> = { user_ids: [String(to.userId)], video: false }
    const { call } = await from.client.command('call.invite', { kind: 'operation', id: 'new' }, body)
    return call
  }
  const act = (device: ClusterDevice, name: 'call.accept' | 'call.decline', { call_id }: CallInfo) =>
    device.client.command(name, { kind: 'operation', id: call_id }, {})
  const ringing = (device: ClusterDevice, { call_id }: CallInfo) => {
    const call = device.state?.calls.find(each => each.call_id === call_id)
    return call?.people.find(each => each.user_id === String(device.userId))?.state === 'ringing'
  }

  it('people on different servers become contacts, see each other, write and read', async () => {
    const { anna, ben, chatId } = await createPair()
    const [one, other] = await Promise.all([connect(a, anna), connect(b, ben)])
    const phone = await connect(a, ben)
    await befriend(one, other)
    await send(one, chatId, 'hello')
    await waitFor(() => unread(other, chatId) === 1 && unread(phone, chatId) === 1)
    const message = other.state?.conversations[0]?.last_message
    await read(phone, chatId)
    await waitFor(() => unread(other, chatId) === 0 && unread(phone, chatId) === 0)
    await other.client.command('mute.set', other.target, { user_id: String(anna.id), muted: true })
    await waitFor(() => phone.state?.conversations[0]?.muted === true)
    await one.client.command(
      'message.edit',
      { kind: 'chat', id: chatId },
      { message_id: message?.message_id ?? '', text: 'hello again' },
    )
    await waitFor(() => [one, other, phone].every(each => lastText(each, chatId) === 'hello again'))
  })

  it('hidden pages and the last of two devices count over both servers', async () => {
    const { anna, ben } = await createPair()
    const [one, other] = await Promise.all([connect(a, anna), connect(b, ben)])
    await befriend(one, other)
    const phone = await connect(a, ben)
    await other.client.command('presence.update', other.target, { visible: false })
    await phone.client.command('presence.update', phone.target, { visible: false })
    await waitFor(() => presenceOf(one, other) === 'away')
    phone.close()
    await other.client.command('presence.update', other.target, { visible: true })
    await waitFor(() => presenceOf(one, other) === 'online')
    other.close()
    await waitFor(() => presenceOf(one, other) === 'offline')
    const back = await connect(b, ben)
    await waitFor(() => presenceOf(one, back) === 'online')
  })

  it('a call rings on all servers, and stops on all of them when it is answered, declined or missed', async () => {
    const { anna, ben } = await createPair()
    const [one, laptop] = await Promise.all([connect(a, anna), connect(b, ben)])
    const phone = await connect(a, ben)
    await befriend(one, laptop)
    const answered = await invite(one, laptop)
    await waitFor(() => ringing(laptop, answered) && ringing(phone, answered))
    await act(laptop, 'call.accept', answered)
    await waitFor(() => !ringing(phone, answered) && !ringing(laptop, answered))
    await waitFor(() => one.state?.calls.find(each => each.call_id === answered.call_id)?.state === 'active')
    await expect(act(phone, 'call.accept', answered)).rejects.toMatchObject({})
    await one.client.command('call.leave', { kind: 'operation', id: answered.call_id }, {})

    const declined = await invite(one, laptop)
    await waitFor(() => ringing(phone, declined))
    await act(phone, 'call.decline', declined)
    await waitFor(() => one.state?.calls.every(each => each.call_id !== declined.call_id))

    const missed = await invite(laptop, one)
    await waitFor(() => ringing(one, missed))
    await waitFor(() => one.state?.missed_calls === 1)
    await waitFor(() => laptop.state?.calls.every(each => each.call_id !== missed.call_id))
  })

  it('a push is sent once to people who are on no server, and not to people on another one', async () => {
    const { anna, ben, chatId } = await createPair()
    const [one, other] = await Promise.all([connect(a, anna), connect(b, ben)])
    const laptop = await connect(b, anna)
    await befriend(one, other)
    await other.client.command('push_subscription_update', other.target, {
      provider: 'native_push',
      token: `token-${ben.id}`,
      platform: 'android',
    })
    await send(one, chatId, 'seen on the other server')
    await waitFor(() => unread(other, chatId) === 1)
    await read(other, chatId)
    other.close()
    await waitFor(() => presenceOf(one, other) === 'offline')
    await send(one, chatId, 'not seen')
    await waitFor(() => lastText(laptop, chatId) === 'not seen', 'the other server has received the message')
    // Another notification of the message would wait in the store, until the quiet time is over (PUSH-14).
    const states = async () => {
      const rows = await queryPostgres<{ state: string }>(
        cluster.dbUrl,
        'SELECT state FROM lectern.push_deliveries',
      )
      return rows.map(({ state }) => state)
    }
    await waitFor(async () => (await states()).join() === 'delivered', 'it is sent')
    expect(pushes.received).toHaveLength(1)
    expect(pushes.received[0]).toContain('not seen')
  })

  it('after kill -9 of NATS messages arrive through the store, and everything else when NATS has returned', async () => {
    const { anna, ben, chatId } = await createPair()
    const [one, other] = await Promise.all([connect(a, anna), connect(b, ben)])
    await befriend(one, other)
    await cluster.nats.kill()
    await waitFor(() => a.log().includes('connection to NATS is lost'))
    await send(one, chatId, 'without NATS')
    await waitFor(() => unread(other, chatId) === 1 && lastText(other, chatId) === 'without NATS')
    expect(presenceOf(one, other)).toBe('online')
    const call = await invite(one, other)
    await waitFor(() => other.state?.missed_calls === 1 || ringing(other, call))
    await waitFor(() => other.state?.missed_calls === 1)
    other.close()
    await cluster.nats.restart()
    await waitFor(() => presenceOf(one, other) === 'offline')
    const back = await connect(b, ben)
    await waitFor(() => presenceOf(one, back) === 'online')
    await send(one, chatId, 'with NATS')
    await waitFor(() => lastText(back, chatId) === 'with NATS')
  })

  it('a server that is cut off from NATS continues, and agrees with the others afterwards', async () => {
    const { anna, ben, chatId } = await createPair()
    const [one, other] = await Promise.all([connect(a, anna), connect(b, ben)])
    await befriend(one, other)
    b.nats.cut()
    await send(one, chatId, 'from a')
    await send(other, chatId, 'from b')
    await waitFor(() => lastText(other, chatId) === 'from b' && lastText(one, chatId) === 'from b')
    await waitFor(() => unread(other, chatId) === unread(one, chatId) || unread(one, chatId) === 1)
    b.nats.mend()
    await waitFor(() => presenceOf(one, other) === 'online' && presenceOf(other, one) === 'online')
    await send(one, chatId, 'together')
    await waitFor(() => lastText(other, chatId) === 'together')
  })

  it('administrators see the sessions, the health and the charts of all servers, and end sessions on any', async () => {
    const boss = await cluster.addUser('boss', ['admin'])
    const { token } = await connect(a, boss)
    const get = async (path: string) => (await a.call('GET', `/api/v1.0/admin${path}`, { token })).body
    const owner = await connect(b, await cluster.addUser('owner'))
    const { body } = await b.call('POST', '/api/v1.0/conferences', {
      token: owner.token,
      body: { title: 'Lesson' },
    })
    await owner.client.command('conference.join', { kind: 'conference', id: body.tag }, {})
    const { sessions } = await get('/sessions')
    expect(sessions).toMatchObject([{ title: 'Lesson', server: 'b', participant_count: 1 }])
    const path = `/sessions/${sessions[0].conference_session_id}`
    expect(await get(path)).toMatchObject({ server: 'b', participants: [{ display_name: 'owner' }] })
    const { members } = await get('/health')
    expect(members).toMatchObject([
      { name: 'a', role: 'server', draining: false, health: { ready: true, sessions: 0 } },
      { name: 'b', role: 'server', health: { ready: true, sessions: 1, participants: 1, connections: 1 } },
    ])
    await waitFor(async () => (await get('/samples')).servers.length === 2)
    expect((await get('/samples')).servers.map(({ server }: { server: string }) => server)).toEqual([
      'a',
      'b',
    ])
    expect((await a.call('POST', `/api/v1.0/admin${path}/end`, { token })).status).toBe(200)
    await waitFor(async () => (await get('/sessions')).sessions.length === 0)
    expect((await a.call('POST', `/api/v1.0/admin${path}/end`, { token })).status).toBe(404)
  })

  it('people of a stopped server are offline on the others, unless they reconnect to one of them', async () => {
    const { anna, ben } = await createPair()
    const [one, other] = await Promise.all([connect(a, anna), connect(b, ben)])
    await befriend(one, other)
    await b.stop()
    await waitFor(() => presenceOf(one, other) === 'offline')
    const phone = await connect(a, ben)
    await waitFor(() => presenceOf(one, phone) === 'online')
    await b.start()
    const again = await connect(b, anna)
    await waitFor(() => presenceOf(again, phone) === 'online')
  })
})

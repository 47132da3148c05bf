import { setTimeout as sleep } from 'node:timers/promises'
import { directChat } from '@lectern/protocol/control'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import {
  ClusterDevice,
  type ClusterServer,
  startTestCluster,
  type TestCluster,
} from '../../testing/cluster.ts'
import { ClusterParticipant } from '../../testing/cluster-participant.ts'
import { waitFor } from '../testing.ts'
import { MessageSignatures } from './message-signatures.ts'

interface Recorded {
  subject: string
  reply: string | undefined
  data: Uint8Array
}

/** Somebody who reaches NATS, and hears everything. */
class Intruder {
  readonly #connection: NatsConnection
  readonly recorded: Recorded[] = []

  private constructor(connection: NatsConnection) {
    this.#connection = connection
    connection.subscribe('>', {
      callback: (_, { subject, reply, data }) => {
        this.recorded.push({ subject, reply: reply || undefined, data: data.slice() })
      },
    })
  }

  static async connect(port: number): Promise<Intruder> {
    return new Intruder(await connect({ servers: `127.0.0.1:${port}`, reconnect: false }))
  }

  send({ subject, reply, data }: Recorded): void {
    this.#connection.publish(subject, data, { ...(reply && { reply }) })
  }

  flush = () => this.#connection.flush()
  close = () => this.#connection.close()
}

const BYTES_OF_MAC = 43
const text = ({ data }: Recorded) => Buffer.from(data).toString()
const withText = (recorded: Recorded, changed: string): Recorded => ({
  ...recorded,
  data: Buffer.from(changed),
})
const otherKey = Buffer.alloc(32, 7)
const foreign = new MessageSignatures({ derive: () => otherKey, deriveAccepted: () => [otherKey] })

/** What somebody makes of a message without the secret. */
const FORGERIES: ((message: Recorded) => Recorded)[] = [
  message => message,
  message => withText(message, text(message).slice(BYTES_OF_MAC)),
  message => withText(message, foreign.sign(message.subject, text(message).slice(BYTES_OF_MAC))),
  message => withText(message, text(message).replace(/"seq":\d+/, '"seq":99999999')),
  message => withText(message, text(message).replace(/"seq":\d+,/, '')),
  message => withText(message, text(message).slice(0, -20)),
  message => ({ ...message, subject: `${message.subject}.x` }),
  message => ({ ...message, reply: 'lectern.inbox.mine' }),
]

/** What would follow from a message has followed after it. */
const QUIET_MS = 1_500
/** Each kind of refusal is one line a minute, for a sender that is known. */
const LOG_MAX = 5_000

async function total(cluster: TestCluster, name: string): Promise<number> {
  const pages = await Promise.all(
    cluster.servers.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  )
  const values = pages.map(page => new RegExp(`^lectern_${name} (\\d+)`, 'm').exec(page)?.[1] ?? 0)
  return values.map(Number).reduce((sum, value) => sum + value, 0)
}

it('NET-10 NET-11 somebody who reaches NATS, records everything, forges it and repeats it, changes nothing', async () => {
  const cluster = await startTestCluster(['a', 'b'])
  const [a, b] = cluster.servers as [ClusterServer, ClusterServer]
  const intruder = await Intruder.connect(cluster.nats.port)
  const [anna, ben] = [await cluster.addUser('anna', ['admin']), await cluster.addUser('ben')]
  const [annas, bens] = [await ClusterDevice.connect(a, anna), await ClusterDevice.connect(b, ben)]
  const events: string[] = []
  for (const { client } of [annas, bens])
    client.onEvent(({ name, body }) => events.push(JSON.stringify({ name, body })))
  await waitFor(() => annas.state && bens.state, 'both are connected')

  await annas.client.command('contact.add', annas.target, { login: 'ben' })
  await bens.client.command('contact.add', bens.target, { login: 'anna' })
  const send = (sender: ClusterDevice, words: string) =>
    sender.client.command('message.send', { kind: 'chat', id: directChat(anna.id, ben.id) }, { text: words })
  await send(annas, 'hello')
  await waitFor(() => events.some(each => each.includes('hello')), 'the message arrives')
  const title = { token: annas.token, body: { title: 'Round' } }
  const tag = String((await b.call('POST', '/api/v1.0/conferences', title)).body.tag)
  const inside = [
    new ClusterParticipant(a, annas.token, tag),
    new ClusterParticipant(b, bens.token, tag),
  ] as const
  for (const participant of inside) await participant.joined(1)
  await inside[1].say('in the room')
  await waitFor(() => inside[0].texts.length === 1, 'the words arrive')
  // Requests to the owner of a session, and to all servers.
  await b.call('GET', '/api/v1.0/admin/sessions', { token: annas.token })
  const other = String((await b.call('POST', '/api/v1.0/conferences', title)).body.tag)
  const guest = new ClusterParticipant(a, bens.token, other)
  await guest.joined(1)
  await b.call('DELETE', `/api/v1.0/conferences/${other}`, { token: annas.token })
  const kindsOf = () => new Set(intruder.recorded.map(({ subject }) => subject.split('.')[1]))
  await waitFor(
    () => ['alive', 'presence', 'events', 'server', 'inbox'].every(kind => kindsOf().has(kind)),
    'all kinds',
  )
  await waitFor(() => events.some(each => each.includes('in_call')), 'their presence')
  await sleep(QUIET_MS)

  const texts = await inside[0].history()
  const [count, logged] = [events.length, a.log().length + b.log().length]
  const recorded = [...intruder.recorded]
  const inboxes = recorded.filter(({ subject }) => subject.includes('.inbox.'))
  for (const forge of FORGERIES) for (const message of recorded) intruder.send(forge(message))
  for (const message of inboxes) for (const { subject } of inboxes) intruder.send({ ...message, subject })
  await intruder.flush()
  await waitFor(
    async () => (await total(cluster, 'cluster_repeated_messages_total')) > 0,
    'repeated ones are counted',
  )
  expect(await total(cluster, 'cluster_strangers')).toBeGreaterThan(0)
  await sleep(QUIET_MS)
  expect(events.slice(count)).toEqual([])
  expect(await inside[0].history()).toEqual(texts)
  expect(a.log().length + b.log().length - logged).toBeLessThan(LOG_MAX)

  // What is real goes on, also with a server that has started since and has never seen what is repeated to it.
  await send(bens, 'still here')
  await waitFor(() => events.some(each => each.includes('still here')), 'messages go on')
  const isReady = () => bens.client.state.get().is === 'ready'
  await b.stop()
  await waitFor(() => !isReady(), 'the device has lost its server')
  await b.start()
  // What was sent before would be in its snapshot, and no event.
  await waitFor(isReady, 'the device is back')
  for (const message of intruder.recorded.slice()) intruder.send(message)
  await intruder.flush()
  await send(annas, 'and here')
  const ofBen = () => events.filter(each => each.includes('and here')).length
  await waitFor(() => ofBen() === 2, 'messages reach the server that has started')
  await sleep(QUIET_MS)
  expect(ofBen()).toBe(2)
  expect(await inside[0].history()).toEqual(texts)
  for (const { client } of [annas, bens, guest, ...inside]) client.close()
  await intruder.close()
  await cluster.close()
})

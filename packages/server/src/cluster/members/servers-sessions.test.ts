import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { type CallInfo, conferenceChat, type JobView } from '@lectern/protocol/control'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type ClusterServer, startTestCluster, type TestCluster } from '../../testing/cluster.ts'
import { waitFor } from '../testing.ts'

const RING_SECONDS = 3

interface Event {
  name: string
  body: Record<string, unknown>
}

/** A client of an account at one server, which follows the owner of a conference as pages and workers do. */
class Client {
  readonly control: ControlClient
  readonly events: Event[] = []
  /** The last session joined. */
  session = ''
  starts = 0

  constructor(server: ClusterServer, token: string, conference?: string) {
    this.control = new ControlClient(platformEnvironment(WebSocket), {
      url: `${server.url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async hasFailed => (hasFailed ? null : token),
      client: { name: 'test', version: '1', platform: 'node' },
      ...(conference !== undefined && { conference }),
    })
    this.control.onEvent(({ name, body }) => this.events.push({ name, body }))
    this.control.onStart(() => {
      this.starts += 1
    })
    this.control.open()
  }

  async join(tag: string): Promise<void> {
    const target = { kind: 'conference', id: tag } as const
    this.session = (await this.control.command('conference.join', target, {})).conference_session_id
  }

  act(name: 'recording.start' | 'recording.stop') {
    return this.control.command(name, { kind: 'conference_session', id: this.session }, {})
  }

  get state() {
    return this.control.session(this.session).get()
  }

  /** The values of a field of all events of that name, in order. */
  all = (name: string, field: string) =>
    this.events.filter(event => event.name === name).map(({ body }) => body[field])
}

describe('sessions of a cluster, with people and workers on other servers than their owner', () => {
  let cluster: TestCluster
  let [a, b] = [] as unknown as [ClusterServer, ClusterServer]
  let count = 0
  const clients: Client[] = []

  beforeAll(async () => {
    cluster = await startTestCluster(['a', 'b'], { Conferences: { RingSeconds: String(RING_SECONDS) } })
    ;[a, b] = cluster.servers as [ClusterServer, ClusterServer]
  })
  afterEach(() => {
    for (const { control } of clients.splice(0)) control.close()
  })
  afterAll(() => cluster?.close())

  const signIn = async (login: string, password: string | undefined) =>
    String((await a.call('POST', '/api/v1.0/auth/login', { body: { login, password } })).body.access_token)

  async function addPerson(name: string) {
    const { id, login, password } = await cluster.addUser(`${name}${++count}`)
    const token = await signIn(login, password)
    const connect = (server: ClusterServer, conference?: string) => {
      const client = new Client(server, token, conference)
      clients.push(client)
      return client
    }
    const enter = async (server: ClusterServer, tag: string) => {
      const client = connect(server, tag)
      await client.join(tag)
      return client
    }
    return { id, login, token, connect, enter }
  }
  type Person = Awaited<ReturnType<typeof addPerson>>

  async function addWorker(kind: 'recorder' | 'transcriber') {
    const login = `${kind}${++count}`
    const { password } = await cluster.operator.users.add(login, {
      kind: 'worker',
      capabilities: [`jobs.${kind}`],
    })
    const token = await signIn(login, password)
    const connect = (server: ClusterServer, conference?: string) => {
      const client = new Client(server, token, conference)
      clients.push(client)
      return client
    }
    return { connect }
  }

  async function createConference({ token }: Person, more: object = {}): Promise<string> {
    const body = { title: 'Round', ...more }
    return String((await b.call('POST', '/api/v1.0/conferences', { token, body })).body.tag)
  }

  const lease = async (worker: Client, holding: string[] = []): Promise<JobView | null> =>
    (
      await worker.control.command(
        'job.lease',
        { kind: 'operation', id: 'recording' },
        { worker_id: 'w', holding },
      )
    ).job
  const about = (job: JobView) => ({ kind: 'operation', id: job.job_id }) as const

  it('J10 J12 are recorded by a worker on another server, also for a moderator who entered there', async () => {
    const [anna, ben, recorder] = [
      await addPerson('anna'),
      await addPerson('ben'),
      await addWorker('recorder'),
    ]
    const tag = await createConference(anna)
    const inside = await ben.enter(a, tag) // its owner is a from now on
    const moderator = await anna.enter(b, tag)
    const worker = recorder.connect(b)
    expect(await lease(worker)).toBeNull()

    await moderator.act('recording.start')
    await waitFor(() => worker.all('job.available', 'kind').includes('recording'))
    const job = (await lease(worker)) as JobView
    expect(job).toMatchObject({ conference_tag: tag, conference_session_id: inside.session })
    // The connection of the job follows the owner.
    const observer = recorder.connect(b, tag)
    await observer.control.command('job.attach', about(job), { worker_id: 'w' })
    await worker.control.command('job.progress', about(job), { worker_id: 'w', active: true })
    await waitFor(() => [inside, moderator].every(each => each.state?.recording === true), 'REC is shown')

    await moderator.act('recording.stop')
    await waitFor(() => worker.all('job.stopping', 'job_id').includes(job.job_id))
    const end = { worker_id: 'w', outcome: 'failed', result: {} } as const
    await worker.control.command('job.finish', about(job), end)
    await waitFor(() => [inside, moderator].every(each => each.state?.recording === false), 'REC is off')
    expect(await lease(worker)).toBeNull()
  })

  it('J12 show REC after a change of the owner only when the recorder has returned', async () => {
    const [anna, recorder] = [await addPerson('anna'), await addWorker('recorder')]
    const tag = await createConference(anna)
    const moderator = await anna.enter(a, tag)
    const worker = recorder.connect(b)
    await moderator.act('recording.start')
    let job: JobView | null = null
    await waitFor(async () => (job ??= await lease(worker)), 'the job')
    const held = job as unknown as JobView
    await worker.control.command('job.progress', about(held), { worker_id: 'w', active: true })
    await waitFor(() => moderator.state?.recording === true, 'REC is shown')

    await a.stop()
    const again = await anna.enter(b, tag)
    expect(again.session).toBe(moderator.session)
    // b notifies of a free job when it has reported what it knows of the others.
    const notices = () => worker.all('job.available', 'kind').length
    const [before, other] = [notices(), await anna.enter(b, await createConference(anna))]
    await other.act('recording.start')
    await waitFor(() => notices() > before, 'b has polled the jobs')
    await again.control.command('message.send', { kind: 'chat', id: conferenceChat(tag) }, { text: 'later' })
    await waitFor(() => again.all('chat.message', 'message').length === 1, 'a later event')
    expect(again.state?.recording).toBe(false)
    await other.act('recording.stop')
    const observer = recorder.connect(b, tag)
    await observer.control.command('job.attach', about(held), { worker_id: 'w' })
    await waitFor(() => again.state?.recording === true, 'REC is shown again')
    await a.start()
    const end = { worker_id: 'w', outcome: 'failed', result: {} } as const
    await worker.control.command('job.finish', about(held), end)
    await waitFor(() => again.state?.recording === false, 'REC is off')
  })

  it('CALL-19 keep a call open while its people are inside on different servers, and end it afterwards', async () => {
    const [anna, ben] = [await addPerson('anna'), await addPerson('ben')]
    const [one, other] = [anna.connect(a), ben.connect(b)]
    const account = ({ id }: Person) => ({ kind: 'account', id: String(id) }) as const
    await one.control.command('contact.add', account(anna), { login: ben.login })
    await other.control.command('contact.add', account(ben), { user_id: String(anna.id) })
    const { call } = await one.control.command(
      'call.invite',
      { kind: 'operation', id: 'new' },
      { user_ids: [String(ben.id)], video: false },
    )
    const { call_id, conference_tag: tag } = call
    const target = { kind: 'operation', id: call_id } as const
    const caller = await anna.enter(a, tag) // its owner is a
    const callee = await ben.enter(b, tag) // entering accepts the call (CALL-7)
    const read = async (client: Client): Promise<CallInfo> =>
      (await client.control.command('call.get', target, {})).call
    await waitFor(async () => (await read(one)).state === 'active', 'the call is active')
    // Longer than it rings, and than people may have disappeared.
    await new Promise(resolve => setTimeout(resolve, (RING_SECONDS + 2) * 1_000))
    for (const client of [one, other]) {
      const { state, people } = await read(client)
      expect([state, people.find(({ user_id }) => user_id === String(ben.id))?.state]).toEqual([
        'active',
        'accepted',
      ])
    }
    expect(callee.session).toBe(caller.session)
    await other.control.command('call.leave', target, {})
    await waitFor(async () => (await read(one)).state === 'ended', 'the call is over')
    await waitFor(() => caller.all('session.ended', 'reason').length === 1, 'the session is over')
  })

  it('show messages that were written while their owner had no NATS, once', async () => {
    const [anna, ben] = [await addPerson('anna'), await addPerson('ben')]
    const tag = await createConference(anna)
    const inside = await ben.enter(a, tag)
    const writer = anna.connect(b)
    const write = (text: string) =>
      writer.control.command('message.send', { kind: 'chat', id: conferenceChat(tag) }, { text })
    const texts = () =>
      inside.all('chat.message', 'message').map(message => (message as { text: string }).text)
    await write('before')
    await waitFor(() => texts().includes('before'))
    a.nats.cut()
    await write('meanwhile')
    await waitFor(() => texts().includes('meanwhile'), 'the message, verified by the store')
    a.nats.mend()
    await write('after')
    await waitFor(() => texts().includes('after'))
    expect(texts()).toEqual(['before', 'meanwhile', 'after'])
  })

  it('A5 notify people who wait on any server before a session is open', async () => {
    const [anna, ben, cara] = [await addPerson('anna'), await addPerson('ben'), await addPerson('cara')]
    const tag = await createConference(anna, { entry: 'lobby' })
    const conference = { kind: 'conference', id: tag } as const
    const waiting = [ben.connect(a, tag), cara.connect(b, tag)]
    for (const each of waiting)
      expect(await each.control.command('lobby.enter', conference, {})).toMatchObject({ status: 'waiting' })
    const { status } = await b.call('PATCH', `/api/v1.0/conferences/${tag}`, {
      token: anna.token,
      body: { entry: 'open' },
    })
    expect(status).toBe(200)
    for (const each of waiting)
      await waitFor(() => each.all('lobby.status', 'status').includes('admitted'), 'both are admitted')
    for (const each of waiting) await each.join(tag)
    expect(waiting[0]?.session).toBe(waiting[1]?.session)
  })

  it('A6 admit a person who began to wait on another server before the session', async () => {
    const [anna, ben] = [await addPerson('anna'), await addPerson('ben')]
    const tag = await createConference(anna, { entry: 'lobby' })
    const conference = { kind: 'conference', id: tag } as const
    const waiting = ben.connect(b, tag)
    await waiting.control.command('lobby.enter', conference, {})
    const moderator = await anna.enter(a, tag)
    // His connection moves to the owner; there he asks again, as pages do (rule A13).
    await waitFor(() => waiting.starts > 1, 'the connection begins again')
    await waiting.control.command('lobby.enter', conference, {})
    await waitFor(() => moderator.state?.lobby.some(({ user_id }) => user_id === String(ben.id)))
    const session = { kind: 'conference_session', id: moderator.session } as const
    await moderator.control.command('lobby.admit', session, { user_id: String(ben.id) })
    await waitFor(() => waiting.all('lobby.status', 'status').includes('admitted'))
    await waiting.join(tag)
    expect(waiting.session).toBe(moderator.session)
  })
})

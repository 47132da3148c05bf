/**
 * `npm run cluster-upgrade -w bench -- [--from REVISION] [--checkout DIR]`: a rolling upgrade with two real versions. Builds an
 * earlier revision in a folder (or uses a checkout that is built), runs one server and one media node of it beside present ones on one
 * PostgreSQL, NATS and S3, and drains and replaces the old ones while people write, call and are in a conference that is recorded. Each
 * server prefers its own media node, so that packets pass from nodes of one version to those of the other.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { LoginResponse } from '@lectern/protocol'
import { WebSocket } from 'ws'
import { Cluster, type ClusterServer } from '../../e2e/support/cluster/cluster.ts'
import { ControlClient, platformEnvironment } from '../../packages/control-client/src/index.ts'
import type { Clients } from '../large-rooms/clients.ts'
import { args, isSmoke } from '../support/size.ts'
import { TaskProcess } from '../support/tasks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  args,
  options: {
    from: { type: 'string', default: 'HEAD~1' },
    // A smoke run builds nothing: both versions are the present one.
    checkout: { type: 'string', ...(isSmoke && { default: root }) },
  },
})
const WITHIN_MS = 60_000
/** The share of packets that arrives. */
const ARRIVED_MIN = 0.9
const regionOf = (name: string) => `region-${name.at(-1)}`
const folder = mkdtempSync(join(tmpdir(), 'lectern-upgrade-'))
chmodSync(folder, 0o711) // PostgreSQL runs as a user of its own
const old = values.checkout ?? build(values.from)
const programs = {
  old: join(old, 'packages/cli/bin/lectern.js'),
  new: join(root, 'packages/cli/bin/lectern.js'),
}
type Version = keyof typeof programs
/** Which version runs each program. */
const versions: Record<string, Version> = {
  'server-1': 'old',
  'server-2': 'new',
  'media-1': 'old',
  'media-2': 'new',
}

function build(revision: string): string {
  const checkout = join(folder, 'checkout')
  console.log(`building ${revision}…`)
  execFileSync('git', ['worktree', 'add', '--detach', checkout, revision], { cwd: root, stdio: 'ignore' })
  const prepare = "import('./setup/prepare.mjs').then(m => m.prepare({}))"
  execFileSync(process.execPath, ['-e', prepare], { cwd: checkout, stdio: 'inherit' })
  return checkout
}

interface SignedIn {
  id: number
  token: string
}

/** Somebody at one of the servers. */
interface Entrant extends SignedIn {
  url: string
}

let failures = 0
async function check(what: string, work: () => Promise<unknown>): Promise<void> {
  const from = performance.now()
  try {
    await work()
    console.log(`ok    ${what} (${Math.round(performance.now() - from)} ms)`)
  } catch (error) {
    failures++
    console.log(`FAILS ${what}: ${(error as Error).message}`)
  }
}

async function until(holds: () => unknown, what: string): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(20)) if (await holds()) return
  throw new Error(`not within ${WITHIN_MS / 1000} s: ${what}`)
}

/** A device of an account at one server; in a conference, it joins again whenever it is connected again. */
class Device {
  readonly userId: string
  readonly client: ControlClient
  readonly joins: string[] = []
  readonly texts: string[] = []

  constructor(url: string, { id, token }: SignedIn, tag?: string) {
    this.userId = String(id)
    this.client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async hasFailed => (hasFailed ? null : token),
      client: { name: 'upgrade', version: '1', platform: 'node' },
      ...(tag && { conference: tag }),
    })
    this.client.onEvent(({ name, body }) => {
      if (name === 'chat.message') this.texts.push((body as { message: { text: string } }).message.text)
    })
    if (tag)
      this.client.onStart(() => {
        const joining = this.client.command('conference.join', { kind: 'conference', id: tag }, {})
        joining.then(data => this.joins.push(data.conference_session_id)).catch(() => {})
      })
    this.client.open()
  }

  get account() {
    return this.client.account(this.userId).get()
  }
  get target() {
    return { kind: 'account' as const, id: this.userId }
  }
  get session() {
    return { kind: 'conference_session' as const, id: this.joins.at(-1) ?? '' }
  }
  say = (text: string) => this.client.command('chat.send', this.session, { text })
  joined = (count: number) => until(() => this.joins.length >= count, `join number ${count}`)
  history = async () => (await this.client.command('chat.history', this.session, { limit: 50 })).messages
  openMedia = () => this.client.command('media.open', this.session, {})
  /** How many people are in the conference. */
  get people() {
    return this.client.session(this.session.id).get()?.participants.length
  }
  get isRecorded() {
    return this.client.session(this.session.id).get()?.recording === true
  }
}

/** A speaker and a viewer in the conference. */
class Stream {
  readonly #clients = new TaskProcess<Clients>(
    fileURLToPath(new URL('../large-rooms/clients.ts', import.meta.url)),
  )

  static async open(from: Entrant, to: Entrant, tag: string): Promise<Stream> {
    const stream = new Stream()
    await stream.#clients.run('join', from.url, [{ tag, token: from.token }], 1)
    await stream.#clients.run('view', to.url, [{ tag, token: to.token }])
    return stream
  }
  /** Whether nearly all packets of a second arrive. */
  async flows(): Promise<boolean> {
    const { packets, expected } = await this.#clients.run('send', 1, 1)
    return packets >= ARRIVED_MIN * expected
  }
  async close(): Promise<void> {
    await this.#clients.run('leave').catch(() => {}) // with a server that drains, they have left
    this.#clients.stop()
  }
}

let cluster: Cluster | undefined
try {
  cluster = await Cluster.start({
    folder: join(folder, 'cluster'),
    servers: 2,
    mediaNodes: 2,
    recorders: 1,
    programOf: name => programs[versions[name] ?? 'new'],
    settings: {
      SVC_LIMITS_ENABLED: '0',
      SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '60',
      SVC_RECORDER_PROFILE: 'raw_tracks_v1', // the packets show nothing that could be composed
    },
    settingsOf: async ({ name }) => ({ SVC_CLUSTER_REGION: regionOf(name) }),
    settingsOfNode: name => ({ SVC_CLUSTER_REGION: regionOf(name) }),
  })
  await run(cluster)
} finally {
  await cluster?.stop()
  if (!values.checkout)
    execFileSync('git', ['worktree', 'remove', '--force', old], { cwd: root, stdio: 'ignore' })
  rmSync(folder, { recursive: true, force: true })
}
console.log(failures === 0 ? 'the upgrade works' : `${failures} checks fail`)
process.exit(failures === 0 ? 0 : 1)

async function run(cluster: Cluster): Promise<void> {
  const [first, second] = cluster.servers as [ClusterServer, ClusterServer]
  const anna = await signIn(first.url, 'anna')
  const ben = await signIn(second.url, 'ben')
  const [atOld, atNew] = [new Device(first.url, anna), new Device(second.url, ben)]
  await until(() => atOld.account && atNew.account, 'both are connected')
  const { nodes } = (await cluster.command('cluster', 'status')) as {
    nodes: { id: string; version: string; role: string }[]
  }
  console.log(nodes.map(({ id, version, role }) => `${role} ${id}, version ${version}`).join('\n'))

  await check('people at the old and the new server become contacts and are online', async () => {
    await atOld.client.command('contact.add', atOld.target, { login: 'ben' })
    await until(() => atNew.account?.contacts.some(({ state }) => state === 'incoming'), 'the request')
    await atNew.client.command('contact.add', atNew.target, { user_id: atOld.userId })
    const isOnline = (device: Device) =>
      device.account?.contacts.some(({ presence }) => presence === 'online')
    await until(() => isOnline(atOld) && isOnline(atNew), 'presence')
  })
  const chatId = `direct:${Math.min(anna.id, ben.id)}-${Math.max(anna.id, ben.id)}`
  const chat = { kind: 'chat' as const, id: chatId }
  const lastText = (device: Device) =>
    device.account?.conversations.find(({ chat_id }) => chat_id === chatId)?.last_message?.text
  await check('messages arrive in both directions', async () => {
    await atOld.client.command('message.send', chat, { text: 'from the old one' })
    await until(() => lastText(atNew) === 'from the old one', 'the message of the old server')
    await atNew.client.command('message.send', chat, { text: 'from the new one' })
    await until(() => lastText(atOld) === 'from the new one', 'the message of the new server')
  })
  await check('a call from the new server rings at the old one, and is answered', async () => {
    const body = { user_ids: [atOld.userId], video: false }
    const { call } = await atNew.client.command('call.invite', { kind: 'operation', id: 'new' }, body)
    const target = { kind: 'operation' as const, id: call.call_id }
    await until(() => atOld.account?.calls.some(({ call_id }) => call_id === call.call_id), 'it rings')
    await atOld.client.command('call.accept', target, {})
    const isActive = () =>
      atNew.account?.calls.find(({ call_id }) => call_id === call.call_id)?.state === 'active'
    await until(isActive, 'it is active')
    await atNew.client.command('call.leave', target, {})
  })

  const { tag } = await post<{ tag: string }>(
    `${first.url}/api/v1.0/conferences`,
    { title: 'Lesson' },
    anna.token,
  )
  const teacher = new Device(await cluster.entryAt(0), anna, tag)
  await teacher.joined(1)
  const student = new Device(await cluster.entryAt(1), ben, tag)
  await student.joined(1)
  await check('a conference is owned by the old server, and entered through the new one', async () => {
    if ((await cluster.ownerOf(tag)).name !== 'server-1') throw new Error('the new server owns it')
    await teacher.say('one')
    await student.say('two')
    await until(() => [teacher, student].every(({ texts }) => texts.join() === 'one,two'), 'both texts')
  })
  await check('media of the old owner opens on a media node', () => student.openMedia())
  const entries: Record<Version, string> = { old: first.url, new: second.url }
  /** Somebody of their own, for one account has one participant on each device. */
  const entrant = async (entry: Version): Promise<Entrant> => ({
    url: entries[entry],
    ...(await signIn(entries[entry], `person-${++people}`)),
  })
  let people = 0
  /** Its people resume their connections, or join again. */
  const continuesAt = async (name: string, speaker: Device, text: string) => {
    const owner = () => cluster.ownerOf(tag).catch(() => null) // nobody for a moment
    await until(async () => (await owner())?.name === name, `${name} owns it`)
    await speaker.say(text)
    // People who join again after it was sent get no event.
    const lastOf = async (device: Device) => (await device.history().catch(() => [])).at(-1)?.text
    for (const device of [teacher, student])
      await until(async () => (await lastOf(device)) === text, 'the text')
  }
  /** A speaker at one server and a viewer at the other; both leave before the next ones come. */
  const packetsPass = async (from: Version, to: Version) => {
    const stream = await Stream.open(await entrant(from), await entrant(to), tag)
    try {
      // The first packets are lost while a route between nodes is made.
      await until(() => stream.flows(), 'packets arrive')
    } finally {
      await stream.close()
    }
    await until(() => teacher.people === 2, 'speaker and viewer have left')
  }
  await check('packets pass from the old media node to the new one, and back', async () => {
    await packetsPass('old', 'new')
    await packetsPass('new', 'old')
  })
  await check('the conference is recorded', async () => {
    await teacher.client.command('recording.start', teacher.session, {})
    await until(() => teacher.isRecorded && student.isRecorded, 'REC is shown')
  })
  await check('the old server drains: the session continues at the new one', async () => {
    await cluster.command('cluster', 'drain', 'server-1')
    await continuesAt('server-2', student, 'three')
  })
  await check('packets pass on the nodes that the new owner has adopted', () => packetsPass('new', 'new'))
  await check('the recording goes on', () =>
    until(() => teacher.isRecorded && student.isRecorded, 'REC is shown'),
  )
  await check('media of the new owner opens', () => teacher.openMedia())
  await check('the old media node drains, and media opens on the new one', async () => {
    await cluster.command('cluster', 'drain', 'media-1')
    await sleep(3_000)
    await student.openMedia()
  })
  await check('packets pass on the new media node', () => packetsPass('new', 'new'))
  await check('the old programs are replaced by the present version', async () => {
    for (const node of [first.node, ...cluster.mediaNodes.slice(0, 1)]) {
      await node.stop()
      versions[node.name] = 'new'
      await node.start()
    }
  })
  await check('the session moves to the replaced server, too', async () => {
    await cluster.command('cluster', 'drain', 'server-2')
    await continuesAt('server-1', teacher, 'four')
    if (new Set([...teacher.joins, ...student.joins]).size !== 1)
      throw new Error('there are several sessions')
  })
  await check('packets pass between the replaced media node and the other one', () =>
    packetsPass('old', 'new'),
  )
  await check('the recording is there once, of both owners', async () => {
    await until(() => teacher.isRecorded, 'REC is shown')
    await teacher.client.command('recording.stop', teacher.session, {})
    const list = async () =>
      (await get<{ recordings: unknown[] }>(`${first.url}/api/v1.0/me/recordings`, anna.token)).recordings
    await until(async () => (await list()).length > 0, 'the recording')
    const found = await list()
    if (found.length !== 1) throw new Error(`there are ${found.length} recordings`)
  })
  await check('every message is there once, and the undrained server is ready', async () => {
    await cluster.command('cluster', 'undrain', 'server-2')
    const messages = await teacher.history()
    const texts = messages.map(({ text }) => text).join()
    if (texts !== 'one,two,three,four') throw new Error(texts)
    await until(async () => (await fetch(`${second.url}/readyz`)).ok, 'it is ready')
  })
  for (const each of [atOld, atNew, teacher, student]) each.client.close()

  async function signIn(url: string, login: string): Promise<SignedIn> {
    const password = `password of ${login}`
    await cluster.command('user', 'add', login, '--password', password)
    const { access_token, user } = await post<LoginResponse>(`${url}/api/v1.0/auth/login`, {
      login,
      password,
    })
    return { id: user.user_id, token: access_token }
  }
}

async function get<Answer>(url: string, token: string): Promise<Answer> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return (await response.json()) as Answer
}

async function post<Answer>(url: string, body: object, token?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as Answer & { code?: string }
  if (!response.ok) throw new Error(`${url}: ${response.status} ${answer.code}`)
  return answer
}

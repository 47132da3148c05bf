import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pollUntil } from '@lectern/common'
import { directChat } from '@lectern/protocol/control/client'
import type { Classroom } from '../classroom/clients.ts'
import { Account } from '../soak/accounts.ts'
import { ChatMember, SoakClient } from '../soak/chat-member.ts'
import { addUser, type Service } from '../support/lectern.ts'
import { TaskProcess } from '../support/tasks.ts'

export const PASSWORD = 'a long password'

const CONTACTS = ['Ben Müller', 'Mia Schneider', 'ليلى حداد', 'Kofi Mensah']
/** Asks to become a contact. */
const STRANGER = 'Zoë Alexandra von Hohenberg-Lichtenstein'
/** What contacts have written last. */
const MESSAGES = [
  'I have the workbook now, thank you!',
  'Here is my homework. The third exercise was difficult, and I am not sure about the last two sentences.',
  'مساء الخير! هل يمكن أن نبدأ الدرس في الساعة الخامسة؟',
  '👍',
]
const RECORDED = ['English B1 — Unit 7: Reported speech', 'تحضير الامتحان النهائي']
const PLANNED = [
  { title: 'English B1 — Unit 8: Conditionals', inMinutes: 40 },
  {
    title: 'Parents’ evening: reports, the trip to the sea, and questions of the class council',
    inMinutes: 180,
  },
  { title: 'اجتماع المعلمين', inMinutes: 60 * 26 },
]
const MINUTE_MS = 60_000
const RECORDED_MS = 8_000
const READY_WITHIN_MS = 120_000

interface Person {
  login: string
  account: Account
  client: SoakClient['client']
  id: string
}

export interface FilledAccount {
  /** Pages of what the account has. */
  pages: Readonly<Record<string, string>>
  /** Somebody calls, until the returned function is called. */
  ring: () => Promise<() => Promise<unknown>>
  /** The own call rings, at the returned path. */
  call: () => Promise<string>
  close: () => void
}

/** Gives an account what it has after some weeks: contacts, chats, calls, meetings and recordings, with drawn people. */
export async function fillAccount(service: Service, login: string, faces: string[]): Promise<FilledAccount> {
  const { url } = service
  const connect = async (login: string): Promise<Person> => {
    const account = await Account.signIn(url, login, PASSWORD)
    const connection = new SoakClient(url, account)
    await connection.open()
    return { login, account, client: connection.client, id: String(account.userId) }
  }
  const add = async (login: string, name: string) => {
    await addUser(service, login, PASSWORD, '--name', name)
    return connect(login)
  }
  const owner = await connect(login)
  const people: Person[] = []
  for (const [index, name] of CONTACTS.entries()) people.push(await add(`person-${index}`, name))
  const stranger = await add('stranger', STRANGER)
  await stranger.client.command('contact.add', accountOf(stranger), { login })
  for (const [index, person] of people.entries()) {
    await befriend(owner, person)
    const chat = { kind: 'chat', id: directChat(owner.account.userId, person.account.userId) } as const
    await owner.client.command('message.send', chat, { text: 'Are we still on for tomorrow?' })
    await person.client.command('message.send', chat, { text: MESSAGES[index] ?? '' })
  }
  const [ben, mia, leila] = people as [Person, Person, Person]
  const answered = await invite(owner, mia)
  await mia.client.command('call.accept', answered, {})
  await sleep(1_000)
  for (const { client } of [mia, owner]) await client.command('call.leave', answered, {}).catch(() => {})
  for (const caller of [ben, leila])
    await caller.client.command('call.cancel', await invite(caller, owner), {})

  const meetings = new Meetings(service, owner.account)
  for (const { title, inMinutes } of PLANNED) await meetings.plan(title, inMinutes)
  await meetings.create('Open office hours')
  for (const title of RECORDED) await meetings.record(title, faces)
  const recordings = await meetings.recordings(RECORDED.length)
  return {
    pages: {
      conversation: `conversations/${directChat(owner.account.userId, mia.account.userId)}`,
      call: `calls/${answered.id}`,
      recording: `recordings/${recordings[0]}`,
    },
    ring: async () => {
      const call = await invite(leila, owner)
      return () => leila.client.command('call.cancel', call, {})
    },
    call: async () => `calls/${(await invite(owner, ben)).id}`,
    close: () => {
      for (const { client } of [owner, stranger, ...people]) client.close()
    },
  }
}

const accountOf = ({ id }: Person) => ({ kind: 'account', id }) as const

async function befriend(one: Person, other: Person): Promise<void> {
  await one.client.command('contact.add', accountOf(one), { login: other.login })
  await other.client.command('contact.add', accountOf(other), { user_id: one.id })
}

async function invite({ client }: Person, { id }: Person) {
  const body = { user_ids: [id], video: true }
  const { call } = await client.command('call.invite', { kind: 'operation', id: 'new' }, body)
  return { kind: 'operation', id: call.call_id } as const
}

/** The meetings of an account, through the API. */
class Meetings {
  readonly #service: Service
  readonly #account: Account

  constructor(service: Service, account: Account) {
    this.#service = service
    this.#account = account
  }

  create = (title: string, plan = {}): Promise<{ tag: string }> =>
    this.#request('POST', '/conferences', { title, ...plan })

  async plan(title: string, inMinutes: number): Promise<void> {
    const startsAt = Date.now() + inMinutes * MINUTE_MS
    const at = (ms: number) => new Date(ms).toISOString()
    await this.create(title, { starts_at: at(startsAt), ends_at: at(startsAt + 45 * MINUTE_MS) })
  }

  /** A recorded meeting of the owner with people whose cameras show the pictures. */
  async record(title: string, faces: string[]): Promise<void> {
    const { url } = this.#service
    const { tag } = await this.create(title)
    const students = new TaskProcess<Classroom>(
      fileURLToPath(new URL('../classroom/clients.ts', import.meta.url)),
    )
    try {
      const guests = await Promise.all(
        faces.slice(0, 4).map((_, index) => Account.guest(url, `Student ${index + 1}`)),
      )
      const tickets = await Promise.all(guests.map(async guest => ({ tag, token: await guest.token() })))
      await students.run('show', url, tickets, faces)
      const host = await ChatMember.join({ url, account: this.#account, tag })
      const session = { kind: 'conference_session', id: host.session } as const
      await host.client.command('recording.start', session, {})
      await sleep(RECORDED_MS)
      await host.client.command('conference.end', { kind: 'conference', id: tag }, {})
      host.leave()
    } finally {
      students.stop()
    }
  }

  /** The ids of the recordings, as soon as there are that many. */
  async recordings(count: number): Promise<string[]> {
    let ids: string[] = []
    const areReady = async () => {
      const { recordings } = await this.#request<{ recordings: { recording_id: string }[] }>(
        'GET',
        '/me/recordings',
      )
      ids = recordings.map(({ recording_id }) => recording_id)
      return ids.length === count
    }
    if (!(await pollUntil(areReady, { intervalMs: 500, timeoutMs: READY_WITHIN_MS })))
      throw new Error('The recordings are not ready.')
    return ids
  }

  async #request<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#service.url}/api/v1.0${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#account.token()}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${response.status} for ${path}`)
    return (await response.json()) as T
  }
}

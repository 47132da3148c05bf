import {
  type AccountState,
  accountStream,
  type ChatMessage,
  type ControlEvent,
  type Conversation,
  conferenceChat,
  directChat,
  type JsonObject,
  reduceAccount,
  type Target,
} from '@lectern/protocol/control'
import { ordinaryConferenceStore } from '../../sessions/stores/conferences.ts'
import type { ControlHarness } from './control-harness.ts'
import type { RawClient } from './raw-client.ts'

/** One device of an account, with the state that a client reduces from the stream. */
export class Messenger {
  readonly client: RawClient
  readonly userId: number
  readonly name: string
  #state: AccountState | null = null
  #cursor: { stream_id: string; stream_epoch: string; seq: string } | null = null
  #events: ControlEvent[] = []

  private constructor(client: RawClient, name: string, userId: number) {
    this.client = client
    this.name = name
    this.userId = userId
  }

  static async connect(harness: ControlHarness, name: string, device = '1'): Promise<Messenger> {
    const { id } = await harness.account(name)
    const client = harness.client(name)
    client.instanceId = `${name}-${device}`
    const messenger = new Messenger(client, name, id)
    await messenger.reconnect()
    return messenger
  }

  /** Logs in and syncs fresh, as after a loss that took too long. */
  async reconnect(): Promise<void> {
    await this.client.login()
    await this.client.fresh()
  }

  /** Continues after a lost socket; fresh when the server does not know the connection any more. */
  async resume(): Promise<void> {
    this.state()
    await this.client.login()
    const result = await this.client.resume(this.#cursor ? [this.#cursor] : [])
    if (result.status !== 'ready') await this.client.fresh()
  }

  /** The state after everything that has arrived. */
  state(): AccountState {
    const stream = accountStream(String(this.userId))
    let parts: JsonObject = {}
    for (const part of this.client.snapshots().filter(each => each.stream_id === stream)) {
      parts = part.part_index === 0 ? part.state : merge(parts, part.state)
      this.#state = parts as unknown as AccountState
      this.#cursor = { stream_id: stream, stream_epoch: part.stream_epoch, seq: part.snapshot_seq }
    }
    for (const event of this.client.events()) {
      this.#events.push(event)
      const cursor = this.#cursor
      if (event.stream_id !== stream || !this.#state || !cursor) continue
      if (Number(event.seq) <= Number(cursor.seq)) continue
      if (Number(event.seq) !== Number(cursor.seq) + 1) throw new Error(`gap before event ${event.seq}`)
      this.#cursor = { ...cursor, seq: event.seq }
      this.#state = reduceAccount(this.#state, event)
    }
    if (!this.#state) throw new Error('there was no snapshot')
    return this.#state
  }

  /** The events since the last call. */
  events(): ControlEvent[] {
    this.state()
    return this.#events.splice(0)
  }

  conversation(chatId: string): Conversation | undefined {
    return this.state().conversations.find(each => each.chat_id === chatId)
  }

  /** The unread counters by chat, and the counter of all conversations. */
  counters(): [Record<string, number>, number] {
    const { conversations, unread_conversations } = this.state()
    return [Object.fromEntries(conversations.map(each => [each.chat_id, each.unread])), unread_conversations]
  }

  /** The result's data; throws what the command was refused with. */
  async command(
    name: string,
    body: JsonObject,
    target: Target = this.account,
    more = {},
  ): Promise<JsonObject> {
    this.state()
    const result = await this.client.command(name, body, target, more)
    if (!result) throw new Error('no answer')
    if ('error' in result && result.error)
      throw new Error(String(result.error.extensions?.reason ?? result.error.code))
    return 'data' in result && result.data ? result.data : {}
  }

  get account(): Target {
    return { kind: 'account', id: String(this.userId) }
  }

  chatWith = (other: { userId: number }) => directChat(this.userId, other.userId)

  send = (chatId: string, text: string, more = {}) =>
    this.command('message.send', { text }, chatTarget(chatId), more)

  async list(chatId: string, body: JsonObject = {}): Promise<ChatMessage[]> {
    const data = await this.command('message.list', body, chatTarget(chatId))
    return data.messages as unknown as ChatMessage[]
  }

  read = (chatId: string, messageId: string) =>
    this.command('message.read', { message_id: messageId }, chatTarget(chatId))
}

export const chatTarget = (chatId: string): Target => ({ kind: 'chat', id: chatId })

const merge = (one: JsonObject, other: JsonObject): JsonObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map(key => {
      const [a, b] = [one[key], other[key]]
      return [key, Array.isArray(a) && Array.isArray(b) ? [...a, ...b] : (b ?? a ?? null)]
    }),
  )

/** Both are contacts from now on. */
export async function befriend(one: Messenger, other: Messenger): Promise<void> {
  await one.command('contact.add', { user_id: String(other.userId) })
  await other.command('contact.add', { user_id: String(one.userId) })
}

/** Makes the conference one of a user, with a conversation. Returns its chat_id. */
export async function ownConference(harness: ControlHarness, tag: string, owner: string): Promise<string> {
  const { id: ownerId } = await harness.account(owner)
  const conference = { tag, title: `About ${tag}`, ownerId, entry: 'open' as const }
  harness.directory.known.set(tag, { ...conference, kind: 'ordinary' })
  await ordinaryConferenceStore(harness.db).add({ ...conference, createdAtMs: 1, purpose: 'meeting' })
  return conferenceChat(tag)
}

import { fuzzSeeds, type RandomChoices, randomChoices, seededRandom } from '@lectern/common/testing'
import { directChat, UNREAD_MAX } from '@lectern/protocol/control'
import { expect, it } from 'vitest'
import { type ControlHarness, createHarness, TAG } from '../testing/control-harness.ts'
import { befriend, chatTarget, Messenger, ownConference } from '../testing/messenger.ts'

const STEPS = 120
const CHECK_EVERY = 10
const PEOPLE = ['anna', 'ben', 'cleo'] as const

interface ModelMessage {
  id: number
  senderId: number
  isDeleted: boolean
  text: string
}

/** A conversation, computed without the code of the server. */
interface ModelChat {
  memberIds: number[]
  messages: ModelMessage[]
  readIds: Map<number, number>
  mutedIds: Set<number>
}

/** Random work on several devices, through lost sockets and killed servers, next to a model. */
class Fuzz {
  readonly #random: RandomChoices
  readonly #chats = new Map<string, ModelChat>()
  readonly #devices: Messenger[] = []
  #harness!: ControlHarness
  #commands = 0

  constructor(seed: number) {
    this.#random = randomChoices(seededRandom(seed))
  }

  async run(): Promise<void> {
    await this.#setUp()
    for (let step = 1; step <= STEPS; step++) {
      await this.#random.pick(this.#steps)()
      if (step % CHECK_EVERY === 0) await this.#check()
    }
    for (const device of this.#devices) await device.reconnect()
    await this.#check()
  }

  async #setUp(): Promise<void> {
    this.#harness = await createHarness()
    const chatId = await ownConference(this.#harness, TAG, 'anna')
    for (const name of PEOPLE)
      for (const device of ['laptop', 'phone'])
        this.#devices.push(await Messenger.connect(this.#harness, name, device))
    const [anna, , ben, , cleo] = this.#devices as [Messenger, Messenger, Messenger, Messenger, Messenger]
    for (const [one, other] of [
      [anna, ben],
      [anna, cleo],
      [ben, cleo],
    ] as const) {
      await befriend(one, other)
      this.#addChat(directChat(one.userId, other.userId), [one.userId, other.userId])
    }
    for (const one of [ben, cleo]) await one.client.join()
    await this.#harness.settle()
    this.#addChat(chatId, [anna.userId, ben.userId, cleo.userId])
  }

  #addChat(chatId: string, memberIds: number[]): void {
    this.#chats.set(chatId, { memberIds, messages: [], readIds: new Map(), mutedIds: new Set() })
  }

  /** Sending is the most frequent step. */
  readonly #steps = [
    () => this.#send(),
    () => this.#send(),
    () => this.#send(),
    () => this.#sendAndKill(),
    () => this.#read(),
    () => this.#read(),
    () => this.#mute(),
    () => this.#delete(),
    () => this.#edit(),
    () => this.#reconnect(),
    () => this.#kill(),
  ]

  #pick(): { device: Messenger; chatId: string; chat: ModelChat } {
    const device = this.#random.pick(this.#devices)
    const own = [...this.#chats].filter(([, { memberIds }]) => memberIds.includes(device.userId))
    const [chatId, chat] = this.#random.pick(own)
    return { device, chatId, chat }
  }

  async #send(): Promise<void> {
    const { device, chatId, chat } = this.#pick()
    const text = `text ${++this.#commands}`
    const { message_id } = await device.send(chatId, text)
    this.#sent(chat, device, Number(message_id), text)
  }

  #sent(chat: ModelChat, { userId }: Messenger, id: number, text: string): void {
    chat.messages.push({ id, senderId: userId, isDeleted: false, text })
    chat.readIds.set(userId, id)
  }

  /** The answer is lost together with the server; the client repeats the command. */
  async #sendAndKill(): Promise<void> {
    const { device, chatId, chat } = this.#pick()
    const text = `text ${++this.#commands}`
    const more = { command_id: `lost-${this.#commands}` }
    const lost = device.send(chatId, text, more).catch(() => {})
    if (this.#random.chance(0.5)) await lost
    await this.#kill()
    const { message_id } = await device.send(chatId, text, more)
    this.#sent(chat, device, Number(message_id), text)
  }

  async #read(): Promise<void> {
    const { device, chatId, chat } = this.#pick()
    if (chat.messages.length === 0) return
    const { id } = this.#random.pick(chat.messages)
    await device.read(chatId, String(id))
    chat.readIds.set(device.userId, Math.max(id, chat.readIds.get(device.userId) ?? 0))
  }

  async #mute(): Promise<void> {
    const { device, chatId, chat } = this.#pick()
    const isMuted = this.#random.chance(0.5)
    const other = chat.memberIds.find(id => id !== device.userId)
    const subject = chatId.startsWith('direct:') ? { user_id: String(other) } : { tag: TAG }
    await device.command('mute.set', { ...subject, muted: isMuted })
    if (isMuted) chat.mutedIds.add(device.userId)
    else chat.mutedIds.delete(device.userId)
  }

  async #delete(): Promise<void> {
    const { device, chatId, chat } = this.#pick()
    const own = chat.messages.filter(({ senderId }) => senderId === device.userId)
    if (own.length === 0) return
    const message = this.#random.pick(own)
    await device.command('message.delete', { message_id: String(message.id) }, chatTarget(chatId))
    Object.assign(message, { isDeleted: true, text: '' })
  }

  async #edit(): Promise<void> {
    const { device, chatId, chat } = this.#pick()
    const own = chat.messages.filter(each => each.senderId === device.userId && !each.isDeleted)
    if (own.length === 0) return
    const message = this.#random.pick(own)
    message.text = `edited ${++this.#commands}`
    const body = { message_id: String(message.id), text: message.text }
    await device.command('message.edit', body, chatTarget(chatId))
  }

  async #reconnect(): Promise<void> {
    const device = this.#random.pick(this.#devices)
    await device.client.drop()
    if (this.#random.chance(0.5)) await this.#send1(device)
    if (this.#random.chance(0.5)) await device.resume()
    else await device.reconnect()
  }

  /** Something that the absent device misses. */
  async #send1(absent: Messenger): Promise<void> {
    const others = this.#devices.filter(device => device !== absent)
    const device = this.#random.pick(others)
    const chatId = [...this.#chats.keys()].at(-1) as string
    const text = `text ${++this.#commands}`
    const { message_id } = await device.send(chatId, text)
    this.#sent(this.#chats.get(chatId) as ModelChat, device, Number(message_id), text)
  }

  async #kill(): Promise<void> {
    await this.#harness.restart()
    for (const device of this.#devices) await device.reconnect()
  }

  async #check(): Promise<void> {
    // At first from events alone, then verified with the store.
    for (let i = 0; i < 3; i++) await this.#harness.settle()
    this.#compare()
    await this.#harness.pass(2000)
    this.#compare()
  }

  #compare(): void {
    for (const device of this.#devices) expect(summaryOf(device)).toEqual(this.#expected(device.userId))
  }

  #expected(userId: number) {
    const chats = [...this.#chats].filter(
      ([id, { memberIds, messages }]) =>
        memberIds.includes(userId) && (messages.length > 0 || id.startsWith('conference:')),
    )
    const conversations = chats
      .map(([chatId, { messages, readIds, mutedIds }]) => {
        const last = [...messages].sort((a, b) => a.id - b.id).at(-1)
        const unread = messages.filter(
          ({ id, senderId, isDeleted }) =>
            id > (readIds.get(userId) ?? 0) && senderId !== userId && !isDeleted,
        )
        return {
          chatId,
          lastId: last?.id ?? 0,
          text: last?.text,
          unread: Math.min(unread.length, UNREAD_MAX),
          isMuted: mutedIds.has(userId),
        }
      })
      .sort((a, b) => b.lastId - a.lastId)
    const unread = conversations.filter(each => each.unread > 0)
    const unmuted = unread.filter(each => !each.isMuted)
    return { conversations, counted: [unread.length, unmuted.length] }
  }
}

/** The state that the device shows. */
function summaryOf(device: Messenger) {
  const { conversations, unread_conversations, unmuted_unread_conversations } = device.state()
  return {
    conversations: conversations.map(each => ({
      chatId: each.chat_id,
      lastId: Number(each.last_message?.message_id ?? 0),
      text: each.last_message?.text,
      unread: each.unread,
      isMuted: each.muted,
    })),
    counted: [unread_conversations, unmuted_unread_conversations],
  }
}

it.each(fuzzSeeds(1, 2))(
  'MSG-6 counters equal a model on every device, through sends, reads, mutes, deletions, reconnects and kills (seed %i)',
  async seed => {
    await new Fuzz(seed).run()
  },
  60_000,
)

import { fuzzSeeds, type RandomChoices, randomChoices, seededRandom } from '@lectern/common/testing'
import { directChat } from '@lectern/protocol/control'
import { expect, it } from 'vitest'
import { ClusterDevice, startTestCluster, type TestAccount, type TestCluster } from '../../testing/cluster.ts'
import { waitFor } from '../testing.ts'

const STEPS = 45
const CHECK_EVERY = 15
const PEOPLE = ['anna', 'ben', 'cleo'] as const

interface ModelMessage {
  id: number
  senderId: number
}

/** A conversation, computed without the code of the servers. */
interface ModelChat {
  memberIds: number[]
  messages: ModelMessage[]
  readIds: Map<number, number>
  mutedIds: Set<number>
}

/** Random work on devices at two servers, through restarts of servers, outages of NATS and cuts, next to a model. */
class Fuzz {
  readonly #random: RandomChoices
  readonly #chats = new Map<string, ModelChat>()
  readonly #devices: ClusterDevice[] = []
  #cluster!: TestCluster
  #isNatsAway = false
  #commands = 0

  constructor(seed: number) {
    this.#random = randomChoices(seededRandom(seed))
  }

  async run(): Promise<void> {
    this.#cluster = await startTestCluster(['a', 'b'])
    try {
      await this.#setUp()
      for (let step = 1; step <= STEPS; step++) {
        await this.#random.pick(this.#steps)()
        if (step % CHECK_EVERY === 0) await this.#check()
      }
      await this.#mend()
      await this.#check()
    } finally {
      for (const device of this.#devices) device.close()
      await this.#cluster.close()
    }
  }

  /** Each person has a device at each server. */
  async #setUp(): Promise<void> {
    const accounts: TestAccount[] = []
    for (const login of PEOPLE) accounts.push(await this.#cluster.addUser(login))
    for (const account of accounts)
      for (const server of this.#cluster.servers)
        this.#devices.push(await ClusterDevice.connect(server, account))
    const [anna, , , ben, cleo] = this.#devices as [
      ClusterDevice,
      unknown,
      unknown,
      ClusterDevice,
      ClusterDevice,
    ]
    for (const [one, other] of [
      [anna, ben],
      [anna, cleo],
      [ben, cleo],
    ] as const) {
      await one.client.command('contact.add', one.target, { login: other.login })
      await other.client.command('contact.add', other.target, { user_id: String(one.userId) })
      const memberIds = [one.userId, other.userId]
      const chatId = directChat(one.userId, other.userId)
      this.#chats.set(chatId, { memberIds, messages: [], readIds: new Map(), mutedIds: new Set() })
    }
  }

  readonly #steps = [
    () => this.#send(),
    () => this.#send(),
    () => this.#send(),
    () => this.#read(),
    () => this.#read(),
    () => this.#mute(),
    () => this.#toggleNats(),
    () => this.#cut(),
    () => this.#restart(),
  ]

  #pick() {
    const device = this.#random.pick(this.#devices)
    const own = [...this.#chats].filter(([, { memberIds }]) => memberIds.includes(device.userId))
    const [chatId, chat] = this.#random.pick(own)
    return { device, chat, chatId, target: { kind: 'chat' as const, id: chatId } }
  }

  async #send(): Promise<void> {
    const { device, chat, target } = this.#pick()
    const text = `text ${++this.#commands}`
    const { message_id } = await device.client.command('message.send', target, { text })
    const id = Number(message_id)
    chat.messages.push({ id, senderId: device.userId })
    chat.readIds.set(device.userId, Math.max(id, chat.readIds.get(device.userId) ?? 0))
  }

  async #read(): Promise<void> {
    const { device, chat, target } = this.#pick()
    if (chat.messages.length === 0) return
    const { id } = this.#random.pick(chat.messages)
    await device.client.command('message.read', target, { message_id: String(id) })
    chat.readIds.set(device.userId, Math.max(id, chat.readIds.get(device.userId) ?? 0))
  }

  async #mute(): Promise<void> {
    const { device, chat } = this.#pick()
    const muted = this.#random.chance(0.5)
    const other = chat.memberIds.find(id => id !== device.userId)
    await device.client.command('mute.set', device.target, { user_id: String(other), muted })
    if (muted) chat.mutedIds.add(device.userId)
    else chat.mutedIds.delete(device.userId)
  }

  async #toggleNats(): Promise<void> {
    const { nats } = this.#cluster
    if (this.#isNatsAway) await nats.restart()
    else await nats.kill()
    this.#isNatsAway = !this.#isNatsAway
  }

  async #cut(): Promise<void> {
    const server = this.#random.pick(this.#cluster.servers)
    if (this.#random.chance(0.5)) server.nats.cut()
    else server.nats.mend()
  }

  /** Restarts a server. Its devices come back by themselves; commands under way are repeated. */
  async #restart(): Promise<void> {
    const server = this.#random.pick(this.#cluster.servers)
    await server.stop()
    await server.start()
  }

  async #mend(): Promise<void> {
    if (this.#isNatsAway) await this.#toggleNats()
    for (const { nats } of this.#cluster.servers) nats.mend()
  }

  /** Without NATS, too: the store is read every few seconds then. */
  async #check(): Promise<void> {
    for (const device of this.#devices) {
      const expected = JSON.stringify(this.#expected(device.userId))
      await waitFor(
        () => JSON.stringify(summaryOf(device)) === expected,
        `${device.userId}: ${expected}`,
      ).catch(() => expect(JSON.stringify(summaryOf(device))).toBe(expected))
    }
  }

  #expected(userId: number) {
    const conversations = [...this.#chats]
      .filter(([, { memberIds, messages }]) => memberIds.includes(userId) && messages.length > 0)
      .map(([chatId, { messages, readIds, mutedIds }]) => ({
        chatId,
        lastId: Math.max(...messages.map(({ id }) => id)),
        unread: messages.filter(each => each.id > (readIds.get(userId) ?? 0) && each.senderId !== userId)
          .length,
        isMuted: mutedIds.has(userId),
      }))
      .sort((a, b) => b.lastId - a.lastId)
    const unread = conversations.filter(each => each.unread > 0)
    const unmuted = unread.filter(each => !each.isMuted)
    return { conversations, counted: [unread.length, unmuted.length] }
  }
}

/** The state that the device shows. */
function summaryOf({ state }: ClusterDevice) {
  if (!state) return null
  const conversations = state.conversations.map(each => ({
    chatId: each.chat_id,
    lastId: Number(each.last_message?.message_id),
    unread: each.unread,
    isMuted: each.muted,
  }))
  return { conversations, counted: [state.unread_conversations, state.unmuted_unread_conversations] }
}

it.each(fuzzSeeds(2))(
  'MSG-6 counters equal a model on devices at two servers, through restarts, outages of NATS and cuts (seed %i)',
  async seed => {
    await new Fuzz(seed).run()
  },
  300_000,
)

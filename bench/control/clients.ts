import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../support/statistics.ts'
import { serveTasks } from '../support/tasks.ts'
import { BareClient, type EventClient, Member, type Ticket } from './member.ts'

// The client process, which runs one task of main.ts after another.

export interface Figures {
  perSecond: number
  /** Latency in milliseconds. */
  median: number
  p99: number
}

const AT_A_TIME = 50
const TEXT = 'Please open the book on page 42.'
/** Commands of the sustained load. */
const MESSAGE_EVERY = 5
const SLICE_MS = 10
const BACK_WITHIN_MS = 60_000
const RETRY_MS = 100

let members: Member[] = []
let bare: BareClient[] = []

const tasks = {
  /** Returns the milliseconds until all have joined. */
  async join(url: string, tickets: Ticket[]): Promise<number> {
    const newMembers = tickets.map(ticket => new Member(url, ticket))
    const begun = performance.now()
    for (let i = 0; i < newMembers.length; i += AT_A_TIME)
      await Promise.all(newMembers.slice(i, i + AT_A_TIME).map(member => member.join()))
    members.push(...newMembers)
    return performance.now() - begun
  },

  /** Resolves when all clients are disconnected. */
  async waitForDisconnect(): Promise<void> {
    await Promise.all(members.map(member => member.disconnected))
  },

  /** All reconnect at once, and again while servers refuse; returns the milliseconds until the last one has joined. */
  async reconnect(): Promise<number> {
    const begun = performance.now()
    const joinAgain = async (member: Member): Promise<void> => {
      const tryToJoin = () =>
        member.join().then(
          () => true,
          () => false,
        )
      while (!(await tryToJoin())) {
        if (performance.now() - begun > BACK_WITHIN_MS) throw new Error('a member cannot join again')
        await sleep(RETRY_MS)
      }
    }
    await Promise.all(members.map(joinAgain))
    return performance.now() - begun
  },

  async leave(): Promise<void> {
    for (const member of members) member.close()
    await Promise.all(members.map(member => member.disconnected))
    members = []
  },

  async connectBare(url: string, count: number): Promise<void> {
    bare = await Promise.all(Array.from({ length: count }, () => BareClient.open(url)))
  },

  /** All members send so many commands each, one after another. */
  async command(name: 'hand' | 'chat', each: number): Promise<Figures> {
    const taken: number[] = []
    const begun = performance.now()
    const work = async (member: Member) => {
      for (let sent = 0; sent < each; sent++) {
        const sentAt = performance.now()
        if (name === 'hand') await member.changeHand()
        else await member.command('chat.send', { text: TEXT })
        taken.push(performance.now() - sentAt)
      }
    }
    await Promise.all(members.map(work))
    return figures(taken, taken.length, performance.now() - begun)
  },

  /**
   * All members together send so many commands a second, each in its turn, whatever the server answers: every fifth is a
   * message, the others raise and lower hands.
   */
  async sustain(perSecond: number, seconds: number): Promise<Figures & { sent: number; refused: number }> {
    const taken: number[] = []
    const begun = performance.now()
    const running = new Set<Promise<void>>()
    let sent = 0
    let refused = 0
    const send = async (member: Member) => {
      const sentAt = performance.now()
      const isMessage = sent++ % MESSAGE_EVERY === 0
      await (isMessage ? member.command('chat.send', { text: TEXT }) : member.changeHand()).then(
        () => taken.push(performance.now() - sentAt),
        () => refused++,
      )
    }
    for (let elapsedMs = 0; elapsedMs < seconds * 1_000; elapsedMs = performance.now() - begun) {
      while (sent < (elapsedMs * perSecond) / 1_000) {
        const work = send(members[sent % members.length] as Member)
        running.add(work)
        void work.then(() => running.delete(work))
      }
      await sleep(SLICE_MS)
    }
    await Promise.all(running)
    return { ...figures(taken, taken.length, performance.now() - begun), sent, refused }
  },

  /** The text of an event as a member receives it. */
  async sample(): Promise<string> {
    const [member] = members as [Member]
    const received = new Promise<Buffer>(resolve => {
      member.onEvent = resolve
    })
    member.triggerEvent()
    return (await received).toString()
  },

  /** Members trigger broadcasts in turn; measures the time until the last receiver has each event. */
  async broadcast(target: 'members' | 'bare', atATime: number, seconds: number): Promise<Figures> {
    const begun = performance.now()
    const taken = await broadcast(target === 'bare' ? bare : members, atATime, begun + seconds * 1000)
    const receivers = target === 'bare' ? bare.length : members.length
    return figures(taken, taken.length * receivers, performance.now() - begun)
  },
}

export type Tasks = typeof tasks

/** All clients receive events in the same order, so the n-th event of each client is the n-th event. */
function broadcast(clients: EventClient[], atATime: number, end: number): Promise<number[]> {
  const sentAt: number[] = []
  const missing: number[] = []
  const taken: number[] = []
  const sendNext = () => {
    const sender = clients[sentAt.length % clients.length] as EventClient
    sentAt.push(performance.now())
    missing.push(clients.length)
    sender.triggerEvent()
  }
  return new Promise(resolve => {
    for (const client of clients) {
      let received = 0
      client.onEvent = () => {
        const event = received++
        missing[event] = (missing[event] as number) - 1
        if (missing[event] !== 0) return
        const now = performance.now()
        taken.push(now - (sentAt[event] as number))
        if (now < end) sendNext()
        else if (taken.length === sentAt.length) resolve(taken)
      }
    }
    for (let i = 0; i < atATime; i++) sendNext()
  })
}

const figures = (taken: number[], count: number, ms: number): Figures => ({
  perSecond: count / (ms / 1000),
  median: quantile(taken, 0.5),
  p99: quantile(taken, 0.99),
})

serveTasks(tasks)

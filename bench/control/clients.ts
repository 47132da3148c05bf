import { quantile } from '../support/statistics.ts'
import { answerTasks } from '../support/tasks.ts'
import { BareListener, type Listener, Member, type Ticket } from './member.ts'

// The clients, in a process of their own: main.ts asks for one task after another.

export interface Figures {
  perSecond: number
  /** Milliseconds. */
  median: number
  p99: number
}

const AT_A_TIME = 50

let members: Member[] = []
let bare: BareListener[] = []

const tasks = {
  /** Milliseconds until all are inside. */
  async enter(url: string, tickets: Ticket[]): Promise<number> {
    const coming = tickets.map(ticket => new Member(url, ticket))
    const begun = performance.now()
    for (let i = 0; i < coming.length; i += AT_A_TIME)
      await Promise.all(coming.slice(i, i + AT_A_TIME).map(member => member.enter()))
    members.push(...coming)
    return performance.now() - begun
  },

  /** Resolves when everybody has noticed that the server is gone. */
  async loseServer(): Promise<void> {
    await Promise.all(members.map(member => member.lost))
  },

  /** All at once; milliseconds until the last one is inside. */
  async comeBack(): Promise<number> {
    const begun = performance.now()
    await Promise.all(members.map(member => member.enter()))
    return performance.now() - begun
  },

  async leave(): Promise<void> {
    for (const member of members) member.close()
    await Promise.all(members.map(member => member.lost))
    members = []
  },

  async enterBare(url: string, count: number): Promise<void> {
    bare = await Promise.all(Array.from({ length: count }, () => BareListener.open(url)))
  },

  /** Everybody gives one command after another. */
  async command(name: 'hand' | 'chat', seconds: number): Promise<Figures> {
    const taken: number[] = []
    const begun = performance.now()
    const end = begun + seconds * 1000
    const work = async (member: Member) => {
      for (let now = performance.now(); now < end; ) {
        if (name === 'hand') await member.changeHand()
        else await member.command('chat.send', { text: 'Please open the book on page 42.' })
        const then = now
        now = performance.now()
        taken.push(now - then)
      }
    }
    await Promise.all(members.map(work))
    return figures(taken, taken.length, performance.now() - begun)
  },

  /** The text of an event, as one of the members hears it. */
  async sample(): Promise<string> {
    const [member] = members as [Member]
    const heard = new Promise<Buffer>(resolve => {
      member.onEvent = resolve
    })
    member.say()
    return (await heard).toString()
  },

  /** Members in turn say something to all; time is taken until the last one has heard it. */
  async tellAll(whom: 'members' | 'bare', atATime: number, seconds: number): Promise<Figures> {
    const begun = performance.now()
    const taken = await tellAll(whom === 'bare' ? bare : members, atATime, begun + seconds * 1000)
    const receivers = whom === 'bare' ? bare.length : members.length
    return figures(taken, taken.length * receivers, performance.now() - begun)
  },
}

export type Tasks = typeof tasks

/** Everybody hears events in the same order, so that the n-th that one hears is the n-th of all. */
function tellAll(listeners: Listener[], atATime: number, end: number): Promise<number[]> {
  const saidAt: number[] = []
  const missing: number[] = []
  const taken: number[] = []
  const say = () => {
    const speaker = listeners[saidAt.length % listeners.length] as Listener
    saidAt.push(performance.now())
    missing.push(listeners.length)
    speaker.say()
  }
  return new Promise(resolve => {
    for (const listener of listeners) {
      let heard = 0
      listener.onEvent = () => {
        const event = heard++
        missing[event] = (missing[event] as number) - 1
        if (missing[event] !== 0) return
        const now = performance.now()
        taken.push(now - (saidAt[event] as number))
        if (now < end) say()
        else if (taken.length === saidAt.length) resolve(taken)
      }
    }
    for (let i = 0; i < atATime; i++) say()
  })
}

const figures = (taken: number[], count: number, ms: number): Figures => ({
  perSecond: count / (ms / 1000),
  median: quantile(taken, 0.5),
  p99: quantile(taken, 0.99),
})

answerTasks(tasks)

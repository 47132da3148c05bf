import { setTimeout as sleep } from 'node:timers/promises'
import { Member, type Ticket } from '../control/member.ts'
import { serveTasks } from '../support/tasks.ts'

// A process with two regular participants in a room, and a third user who signs in.

/** Latencies of successful operations in milliseconds, and the number of failures. */
export interface Latencies {
  taken: Record<'healthz' | 'chat' | 'login', number[]>
  failed: number
}

const HEALTHZ_EVERY_MS = 50
const CHAT_EVERY_MS = 1_500
const LOGIN_EVERY_MS = 3_000
const TIMEOUT_MS = 15_000

let members: Member[] = []
let sent = 0

const tasks = {
  async join(url: string, tickets: Ticket[]): Promise<void> {
    members = tickets.map(ticket => new Member(url, ticket))
    for (const member of members) await member.join()
  },

  async measure(
    url: string,
    login: { login: string; password: string },
    seconds: number,
  ): Promise<Latencies> {
    const result: Latencies = { taken: { healthz: [], chat: [], login: [] }, failed: 0 }
    const end = performance.now() + seconds * 1000
    const repeat = async (name: keyof Latencies['taken'], everyMs: number, work: () => Promise<unknown>) => {
      while (performance.now() < end) {
        const startedAt = performance.now()
        await work().then(
          () => result.taken[name].push(performance.now() - startedAt),
          () => result.failed++,
        )
        await sleep(Math.max(0, everyMs - (performance.now() - startedAt)))
      }
    }
    await Promise.all([
      repeat('healthz', HEALTHZ_EVERY_MS, () => get(`${url}/healthz`)),
      repeat('chat', CHAT_EVERY_MS, chat),
      repeat('login', LOGIN_EVERY_MS, () => signIn(url, login)),
    ])
    return result
  },
}

export type HonestTasks = typeof tasks

async function get(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  await response.text()
  if (!response.ok) throw new Error(String(response.status))
}

async function signIn(url: string, body: object): Promise<void> {
  const response = await fetch(`${url}/api/v1.0/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.text()
  if (!response.ok) throw new Error(String(response.status))
}

/** Sends a message; resolves when the other participant receives it. */
async function chat(): Promise<void> {
  const [sender, receiver] = (++sent % 2 ? members : members.toReversed()) as [Member, Member]
  const text = `Message ${sent}.`
  const received = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('no message')), TIMEOUT_MS).unref()
    receiver.onEvent = frame => frame.includes(text) && resolve()
  })
  await Promise.all([sender.command('chat.send', { text }), received])
}

serveTasks(tasks)

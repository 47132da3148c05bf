import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { Member, type Ticket } from '../control/member.ts'
import { serveTasks } from '../support/tasks.ts'

// An attacker process. Attacks are rate-limited, so that the generator does not starve the server on shared cores, and
// have a fixed duration.

interface Attack {
  url: string
  tickets: Ticket[]
  /** The login of an existing account. */
  login: string
  seconds: number
}

const ADDRESSES = 50
const PER_SECOND = { passwords: 200, connections: 200, commands: 95 }
const CONNECTIONS_MAX = 1000

const tasks = {
  /** Wrong passwords from many local addresses, half of them for the account of the regular user. */
  passwords: ({ url, login, seconds }: Attack) =>
    paced(PER_SECOND.passwords, seconds, i => {
      const body = JSON.stringify({ login: i % 2 ? login : `user-${i}`, password: 'a wrong guess' })
      const sent = request(`${url}/api/v1.0/auth/login`, {
        method: 'POST',
        localAddress: addressOf(i),
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      })
      sent.on('response', response => response.resume()).on('error', () => {})
      sent.end(body)
      setTimeout(() => sent.destroy(), seconds * 1000).unref()
    }),

  /** Control connections that never log in, from many addresses. */
  connections: async ({ url, seconds }: Attack) => {
    const open = new Set<WebSocket>()
    await paced(PER_SECOND.connections, seconds, i => {
      if (open.size >= CONNECTIONS_MAX) return
      const options = { localAddress: addressOf(i), perMessageDeflate: false }
      const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1.0/control`, 'svc.control', options)
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    })
    for (const socket of open) socket.terminate()
  },

  /** Commands with unique ids, whose results the server has to remember, refusals included. */
  idempotency: (attack: Attack) => commands(attack, member => member.command('participant.lower_hands', {})),

  /** Requests for pages of a long chat. */
  history: async (attack: Attack) => {
    const fill = { ...attack, seconds: 2 }
    await commands(fill, member => member.command('chat.send', { text: 'x'.repeat(1000) }))
    await commands(attack, member => member.command('chat.history', {}))
  },

  chat: (attack: Attack) =>
    commands(attack, member => member.command('chat.send', { text: 'x'.repeat(1000) })),
}

export type AttackTasks = typeof tasks

const addressOf = (i: number) => `127.0.1.${1 + (i % ADDRESSES)}`

/** Each member sends at the admitted rate, and reconnects when it is disconnected. */
async function commands(
  { url, tickets, seconds }: Attack,
  send: (member: Member) => Promise<unknown>,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  await Promise.all(
    tickets.map(async ticket => {
      while (performance.now() < end) {
        const member = new Member(url, ticket)
        let isDisconnected = false
        await Promise.race([member.join().catch(() => {}), sleep(2_000)])
        void member.disconnected.then(() => {
          isDisconnected = true
        })
        while (!isDisconnected && performance.now() < end) {
          send(member).catch(() => {})
          await sleep(1000 / PER_SECOND.commands)
        }
        member.close()
        if (isDisconnected) await sleep(200)
      }
    }),
  )
}

async function paced(perSecond: number, seconds: number, act: (i: number) => void): Promise<void> {
  const begun = performance.now()
  for (let i = 0; performance.now() - begun < seconds * 1000; i++) {
    act(i)
    await sleep(Math.max(0, (i * 1000) / perSecond - (performance.now() - begun)))
  }
}

serveTasks(tasks)

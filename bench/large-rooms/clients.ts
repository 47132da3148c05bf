import { setTimeout as sleep } from 'node:timers/promises'
import type { Ticket } from '../control/member.ts'
import { joinBare } from '../media/bare-participant.ts'
import { joinLectern } from '../media/lectern-participant.ts'
import type { Participant } from '../media/participant.ts'
import { CODECS, type Kind } from '../media/rtp.ts'
import { serveTasks } from '../support/tasks.ts'

// The process of all participants of one room.

export interface Count {
  expected: number
  packets: number
}

const TICK_MS = 20
const BATCH_SIZE = 8
const SETTLE_MS = 500

let speakers: Participant[] = []
let everybody: Participant[] = []

const tasks = {
  /** The first `sending` participants publish a microphone and a camera; then all receive those of the others. */
  async join(url: string, tickets: Ticket[], sending: number): Promise<void> {
    const enter = entrance(url)
    speakers = await inBatches(tickets.slice(0, sending), async ticket => {
      const speaker = await enter(ticket)
      await speaker.publish()
      return speaker
    })
    if (sending > 1) await inBatches(speakers, each => each.subscribe(sending - 1))
    everybody = [...speakers]
    await tasks.view(url, tickets.slice(sending))
  },

  /** Further participants, who only watch. */
  async view(url: string, tickets: Ticket[]): Promise<void> {
    const enter = entrance(url)
    const viewers = await inBatches(tickets, async ticket => {
      const viewer = await enter(ticket)
      await viewer.subscribe(speakers.length)
      return viewer
    })
    everybody.push(...viewers)
  },

  /** `slowdown` divides the packet rate, because the generator needs more CPU time than the server. */
  async send(seconds: number, slowdown: number): Promise<Count> {
    const before = received()
    const interval = TICK_MS * slowdown
    const begun = performance.now()
    let sent = 0
    for (let tick = 0; tick * interval < seconds * 1000; tick++) {
      for (const { sending } of speakers)
        for (const kind of Object.keys(CODECS) as Kind[])
          for (let due = (CODECS[kind].packetsPerSecond * TICK_MS) / 1000; due > 0; due--) {
            sending.send(kind)
            sent++
          }
      await sleep(Math.max(0, begun + (tick + 1) * interval - performance.now()))
    }
    await sleep(SETTLE_MS)
    return { expected: sent * (everybody.length - 1), packets: received() - before }
  },

  async leave(): Promise<void> {
    for (const each of everybody) each.close()
    everybody = []
    await sleep(SETTLE_MS)
  },
}

export type Clients = typeof tasks

const entrance = (url: string) => (ticket: Ticket) =>
  url.startsWith('ws:') ? joinBare(url, ticket.tag) : joinLectern(url, ticket)

async function inBatches<T, R>(all: T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let i = 0; i < all.length; i += BATCH_SIZE)
    done.push(...(await Promise.all(all.slice(i, i + BATCH_SIZE).map(work))))
  return done
}

const received = () => everybody.reduce((sum, { receiving }) => sum + receiving.received.packets, 0)

serveTasks(tasks)

import { setTimeout as sleep } from 'node:timers/promises'
import type { Ticket } from '../control/member.ts'
import { answerTasks } from '../support/tasks.ts'
import { takeBareSeat } from './bare-seat.ts'
import { takeJanusSeat } from './janus-seat.ts'
import { takeLecternSeat } from './lectern-seat.ts'
import { CODECS, type Kind } from './rtp.ts'
import type { Seat } from './seat.ts'

// Everybody who takes part, in a process of its own: the same WebRTC connections and packets, whatever the server.

export type ServerName = 'lectern' | 'bare' | 'janus'

export interface Count {
  /** Packets that should have come: each that was sent, once for each of the others in the room. */
  expected: number
  packets: number
  bytes: number
}

/** Everybody sends every 20 ms, as with Opus, but not all in the same moment. */
const TICK_MS = 20
const SLOTS = 5
const AT_A_TIME = 4
const SETTLE_MS = 300

let rooms: Seat[][] = []
const all = () => rooms.flat()

const take: Record<ServerName, (url: string, ticket: Ticket) => Promise<Seat>> = {
  lectern: takeLecternSeat,
  bare: (url, { tag }) => takeBareSeat(url, tag),
  janus: (url, { tag }) => takeJanusSeat(url, tag),
}

const tasks = {
  /** Tickets of a room stand together. Everybody publishes, then everybody subscribes to the others. */
  async enter(server: ServerName, url: string, tickets: Ticket[][]): Promise<void> {
    const coming: Seat[][] = []
    for (const room of tickets) {
      const seats: Seat[] = []
      for (const ticket of room) seats.push(await take[server](url, ticket))
      coming.push(seats)
    }
    await some(coming.flat(), seat => seat.publish())
    for (const seats of coming)
      if (seats.length > 1) await some(seats, seat => seat.subscribe(seats.length - 1))
    rooms.push(...coming)
  },

  /** Sends for so long, and counts what comes of it. */
  async send(seconds: number): Promise<Count> {
    const before = total()
    const sent = await sendFor(seconds)
    await sleep(SETTLE_MS)
    const after = total()
    return {
      expected: sent,
      packets: after.packets - before.packets,
      bytes: after.bytes - before.bytes,
    }
  },

  async leave(): Promise<void> {
    for (const seat of all()) seat.close()
    rooms = []
    await sleep(SETTLE_MS)
  },
}

export type Clients = typeof tasks

async function some(seats: Seat[], work: (seat: Seat) => Promise<void>): Promise<void> {
  for (let i = 0; i < seats.length; i += AT_A_TIME) await Promise.all(seats.slice(i, i + AT_A_TIME).map(work))
}

async function sendFor(seconds: number): Promise<number> {
  let expected = 0
  const begun = performance.now()
  const slots = ((seconds * 1000) / TICK_MS) * SLOTS
  for (let slot = 0; slot < slots; slot++) {
    for (const seats of rooms)
      for (const [index, seat] of seats.entries())
        if (index % SLOTS === slot % SLOTS) expected += sendTick(seat) * (seats.length - 1)
    await sleep(Math.max(0, begun + ((slot + 1) * TICK_MS) / SLOTS - performance.now()))
  }
  return expected
}

/** Tells how many packets these were. */
function sendTick({ sending }: Seat): number {
  let packets = 0
  for (const kind of Object.keys(CODECS) as Kind[])
    for (let due = (CODECS[kind].packetsPerSecond * TICK_MS) / 1000; due > 0; due--) {
      sending.send(kind)
      packets++
    }
  return packets
}

const total = () => {
  const sum = { packets: 0, bytes: 0 }
  for (const { receiving } of all()) {
    sum.packets += receiving.received.packets
    sum.bytes += receiving.received.bytes
  }
  return sum
}

answerTasks(tasks)

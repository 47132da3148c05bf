import { setTimeout as sleep } from 'node:timers/promises'
import type { Ticket } from '../control/member.ts'
import { serveTasks } from '../support/tasks.ts'
import { joinBare } from './bare-participant.ts'
import { joinJanus } from './janus-participant.ts'
import { joinLectern } from './lectern-participant.ts'
import type { Participant } from './participant.ts'
import { CODECS, type Kind } from './rtp.ts'

// The process of all participants: the same WebRTC connections and packets for every server.

export type ServerName = 'lectern' | 'bare' | 'janus'

export interface Count {
  /** Expected packets: each sent packet once for every other participant in the room. */
  expected: number
  packets: number
  bytes: number
}

/** All participants send every 20 ms, as with Opus, distributed over time slots. */
const TICK_MS = 20
const SLOTS = 5
const BATCH_SIZE = 4
const SETTLE_MS = 300

let rooms: Participant[][] = []
const all = () => rooms.flat()

const joinServer: Record<ServerName, (url: string, ticket: Ticket) => Promise<Participant>> = {
  lectern: joinLectern,
  bare: (url, { tag }) => joinBare(url, tag),
  janus: (url, { tag }) => joinJanus(url, tag),
}

const tasks = {
  /** `tickets` are grouped by room. All participants publish, then all subscribe to the others. */
  async join(server: ServerName, url: string, tickets: Ticket[][]): Promise<void> {
    const joined: Participant[][] = []
    for (const room of tickets) {
      const participants: Participant[] = []
      for (const ticket of room) participants.push(await joinServer[server](url, ticket))
      joined.push(participants)
    }
    await inBatches(joined.flat(), participant => participant.publish())
    for (const participants of joined)
      if (participants.length > 1)
        await inBatches(participants, participant => participant.subscribe(participants.length - 1))
    rooms.push(...joined)
  },

  /** Sends for a time, and counts received packets. `slowdown` divides the packet rate. */
  async send(seconds: number, slowdown: number): Promise<Count> {
    const before = total()
    const sent = await sendFor(seconds, TICK_MS * slowdown)
    await sleep(SETTLE_MS)
    const after = total()
    return {
      expected: sent,
      packets: after.packets - before.packets,
      bytes: after.bytes - before.bytes,
    }
  },

  async leave(): Promise<void> {
    for (const participant of all()) participant.close()
    rooms = []
    await sleep(SETTLE_MS)
  },
}

export type Clients = typeof tasks

async function inBatches(
  participants: Participant[],
  work: (participant: Participant) => Promise<void>,
): Promise<void> {
  for (let i = 0; i < participants.length; i += BATCH_SIZE)
    await Promise.all(participants.slice(i, i + BATCH_SIZE).map(work))
}

async function sendFor(seconds: number, tickMs: number): Promise<number> {
  let expected = 0
  const begun = performance.now()
  const slots = ((seconds * 1000) / tickMs) * SLOTS
  for (let slot = 0; slot < slots; slot++) {
    for (const participants of rooms)
      for (const [index, participant] of participants.entries())
        if (index % SLOTS === slot % SLOTS) expected += sendTick(participant) * (participants.length - 1)
    await sleep(Math.max(0, begun + ((slot + 1) * tickMs) / SLOTS - performance.now()))
  }
  return expected
}

/** Returns the number of sent packets. */
function sendTick({ sending }: Participant): number {
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

serveTasks(tasks)

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { quantile } from '../support/statistics.ts'
import { serveTasks } from '../support/tasks.ts'

// A process with all receivers, one per path. The first ones may hang: they accept a request and never respond.

/** The deliveries to responding receivers. */
export interface Arrivals {
  count: number
  /** The time of the last delivery in Unix milliseconds. */
  lastAtMs: number
  /** The delays from event to delivery in milliseconds. */
  median: number
  p99: number
  /** Deliveries to hanging receivers. */
  hung: number
}

let hanging = 0
let lastAtMs = 0
let hung = 0
let delays: number[] = []
const left = new Set<ServerResponse>()

const server = createServer(async (request, response) => {
  const body = await text(request).catch(() => null)
  if (body === null) return
  if (Number(request.url?.slice(1)) < hanging) {
    hung++
    left.add(response)
    return
  }
  lastAtMs = Date.now()
  delays.push(lastAtMs - Date.parse(JSON.parse(body).created_at))
  response.writeHead(204).end()
})

const tasks = {
  async listen(): Promise<string> {
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },

  /** Clears the counts, and sets the number of hanging receivers. */
  async begin(hangingNow: number): Promise<void> {
    hanging = hangingNow
    lastAtMs = 0
    hung = 0
    delays = []
    for (const response of left) response.destroy()
    left.clear()
  },

  async arrivals(): Promise<Arrivals> {
    const [median, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
    return { count: delays.length, lastAtMs, median, p99, hung }
  },
}

export type Receivers = typeof tasks

serveTasks(tasks)

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { quantile } from '../support/statistics.ts'
import { answerTasks } from '../support/tasks.ts'

// The receivers, one at each path, in a process of their own. The first few may hang: they take a post and never
// answer.

/** What has come to those that answer. */
export interface Arrivals {
  count: number
  /** When the last one came; milliseconds since 1970. */
  lastAtMs: number
  /** From the event until its post was there; milliseconds. */
  median: number
  p99: number
  /** Posts that came to those that hang. */
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

  /** Forgets what came, and lets so many hang from now on. */
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

answerTasks(tasks)

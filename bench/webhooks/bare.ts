import { dataOf, serveSender } from './sending.ts'

// The minimal sender: Node's fetch (undici). No database, signatures, retries or concurrency limits.

const AT_A_TIME = 256 // the concurrency of Lectern's queue
const ANSWER_WITHIN_MS = 15_000

const waiting: (() => Promise<void>)[] = []
let base = ''
let underWay = 0

async function post(receiver: number, subject: string, created_at: string): Promise<void> {
  const response = await fetch(`${base}/${receiver}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'transcription.ready', created_at, data: dataOf(subject) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
  await response.arrayBuffer()
}

function sendNext(): void {
  const next = underWay < AT_A_TIME && waiting.shift()
  if (!next) return
  underWay++
  void next()
    .catch(() => {}) // the receivers count deliveries
    .finally(() => {
      underWay--
      sendNext()
    })
}

serveSender({
  open: async (_receivers, url) => {
    base = url
  },
  post: async (receiver, subject) => {
    const now = new Date().toISOString()
    waiting.push(() => post(receiver, subject, now))
    sendNext()
  },
})

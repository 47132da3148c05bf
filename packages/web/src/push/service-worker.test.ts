import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'

const ORIGIN = 'https://meet.example.org'

type Handler = (event: object) => void

/** The service worker of the pages, without the browser around it; null: the server does not answer. */
function startWorker(serverTimeMs: () => number | null = () => null) {
  const handlers = new Map<string, Handler>()
  const shown: { body: string; requireInteraction: boolean; data: { url: string } }[] = []
  const opened: string[] = []
  const clients = { matchAll: async () => [], openWindow: async (path: string) => opened.push(path) }
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    registration: {
      showNotification: async (_title: string, options: (typeof shown)[0]) => shown.push(options),
    },
    clients,
  }
  const script = readFileSync(new URL('../../public/sw.js', import.meta.url), 'utf8')
  const fetch = async () => {
    const time = serverTimeMs()
    if (time === null) throw new TypeError('Failed to fetch')
    return new Response(null, { headers: { date: new Date(time).toUTCString() } })
  }
  runInNewContext(script, { self, URL, setTimeout, MessageChannel, AbortSignal, fetch })
  const emit = async (name: string, event: object) => {
    let done: unknown
    handlers.get(name)?.({ ...event, waitUntil: (work: unknown) => (done = work) })
    await done
  }
  return { emit, shown, opened }
}

it.each([
  ['/conversations/direct:7-42', '/conversations/direct:7-42'],
  [`${ORIGIN}/calls/3`, '/calls/3'],
  ['https://evil.example/x', '/'],
  ['//evil.example/x', '/'],
  [`${ORIGIN}//evil.example/x`, '/evil.example/x'],
  ['/\\\\evil.example', '/'],
  ['javascript:alert(1)', '/'],
  [7, '/7'],
])('a click on a notification of %j opens the page %s', async (url, path) => {
  const worker = startWorker()
  await worker.emit('push', { data: { json: () => ({ title: 'Ben', url }) } })
  const [{ data } = { data: { url: '' } }] = worker.shown
  await worker.emit('notificationclick', { notification: { close: () => {}, data } })
  expect(worker.opened).toEqual([path])
})

it('PUSH-10 shows a call that arrives after the ringing as missed', async () => {
  const { emit, shown } = startWorker()
  const push = (afterMs: number) => {
    const late = { after_ms: afterMs, body: 'Missed call' }
    const payload = { title: 'Anna', body: 'Calls you', type: 'call', url: '/calls/7', late }
    return emit('push', { data: { json: () => payload } })
  }
  await push(Date.now() + 3_600_000)
  await push(Date.now() - 1_000)
  await emit('push', { data: { json: () => ({ title: 'Anna', body: 'hi', type: 'message', late: null }) } })
  expect(shown.map(({ body, requireInteraction }) => [body, requireInteraction])).toEqual([
    ['Calls you', true],
    ['Missed call', false],
    ['hi', false],
  ])
})

it.each([
  ['ahead', 60_000],
  ['behind', -60_000],
])('PUSH-10 shows what is true of a call on a device whose clock is %s', async (_, aheadMs) => {
  const serverMs = Date.now() - aheadMs
  const { emit, shown } = startWorker(() => serverMs)
  for (const afterMs of [serverMs + 30_000, serverMs - 30_000]) {
    const late = { after_ms: afterMs, body: 'Missed call' }
    await emit('push', { data: { json: () => ({ title: 'Anna', body: 'Calls you', type: 'call', late }) } })
  }
  expect(shown.map(({ body }) => body)).toEqual(['Calls you', 'Missed call'])
})

it('shows the end of a call after the call', async () => {
  const { emit, shown } = startWorker(Date.now)
  const late = { after_ms: Date.now() + 30_000, body: 'Missed call' }
  const pushes = [
    { type: 'call', body: 'Calls you', late },
    { type: 'call_ended', body: 'Missed call' },
  ]
  await Promise.all(pushes.map(payload => emit('push', { data: { json: () => payload } })))
  expect(shown.map(({ body }) => body)).toEqual(['Calls you', 'Missed call'])
})

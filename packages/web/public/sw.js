// The service worker shows notifications and opens their pages; it caches nothing (docs/push.md#browsers).

/** Pages of calls: a notification must not navigate away from one. */
const ROOM_PATHS = /^\/(j|conferences)\//
/** A page that is loaded far enough answers at once. */
const PAGE_ANSWERS_WITHIN_MS = 500
/** A call does not wait longer for the time of the server. */
const TIME_WITHIN_MS = 2_000

self.addEventListener('install', () => self.skipWaiting())

/** Pushes are shown in their order, though a call waits for the time: its end would come before it. */
let shown = Promise.resolve()

self.addEventListener('push', event => {
  const reading = readPayload(event.data)
  shown = shown
    .catch(() => {})
    .then(() => reading)
    .then(show)
  event.waitUntil(shown)
})

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(pathOf(event.notification.data?.url)))
})

// Pages register again: the worker has no access to the account.
self.addEventListener('pushsubscriptionchange', event =>
  event.waitUntil(notifyPages({ type: 'push-changed' })),
)

/**
 * Browsers require that every push shows something. A later notification of the same page takes the place of the earlier
 * one: what became of a call does so without a sound, and does not stay.
 */
function show({ title, body, type, url }) {
  return self.registration.showNotification(title || 'Lectern', {
    body,
    tag: url,
    renotify: type !== 'call_ended',
    silent: type === 'call_ended',
    requireInteraction: type === 'call',
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    data: { url },
  })
}

async function readPayload(data) {
  let payload = {}
  try {
    payload = data?.json() ?? {}
  } catch {
    // Not ours: something is shown all the same.
  }
  const text = value => (typeof value === 'string' ? value : '')
  const { late } = payload
  // The device was off while the call rang.
  if (late && (await serverTimeMs()) > late.after_ms)
    Object.assign(payload, { type: 'call_ended', body: late.body })
  return {
    title: text(payload.title),
    body: text(payload.body),
    type: text(payload.type),
    url: pathOf(payload.url),
  }
}

/** Unix milliseconds: the clock of a device may be wrong by more than a call rings. Its own where the server does not answer. */
async function serverTimeMs() {
  try {
    const signal = AbortSignal.timeout(TIME_WITHIN_MS)
    const { headers } = await fetch('/api/v1.0/server_info', { method: 'HEAD', cache: 'no-store', signal })
    return Date.parse(headers.get('date')) || Date.now()
  } catch {
    return Date.now()
  }
}

/** A path of our own pages, whatever was sent. */
function pathOf(url) {
  try {
    const { origin, pathname, search } = new URL(String(url ?? '/'), self.location.origin)
    // A path that begins with two slashes would be the address of another server.
    return origin === self.location.origin ? pathname.replace(/^\/+/, '/') + search : '/'
  } catch {
    return '/'
  }
}

/** Lets an open page show the path without a reload, else opens a new one. */
async function open(path) {
  const pages = (await allPages()).filter(({ url }) => !ROOM_PATHS.test(new URL(url).pathname))
  const isThere = page => new URL(page.url).pathname === path
  for (const page of [...pages.filter(isThere), ...pages.filter(page => !isThere(page))])
    if (await accepts(page, path)) return page.focus()
  return self.clients.openWindow(path)
}

const allPages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true })

/** Whether the page, of somebody who is signed in, goes to the path. */
function accepts(page, path) {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(true)
    setTimeout(resolve, PAGE_ANSWERS_WITHIN_MS, false)
    page.postMessage({ type: 'open', path }, [port2])
  })
}

async function notifyPages(message) {
  for (const page of await allPages()) page.postMessage(message)
}

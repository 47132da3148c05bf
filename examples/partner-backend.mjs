// A partner's platform: lessons on a page, their rooms hosted by Lectern, events by webhook.
//
//   npm start                            in one terminal: the server, with a demo account
//   node examples/partner-backend.mjs    in another; then open http://127.0.0.1:4000
//
// For another server set LECTERN_URL, LECTERN_ACCOUNT and LECTERN_SECRET. PORT changes the port of the page,
// PARTNER_JOURNAL the path of the journal.

import { randomBytes, randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { LecternError, PartnerClient, verifyWebhook, WebhookVerificationError } from '@lectern/partner'
import { lessonsPage, messagePage } from './partner-page.mjs'

const { LECTERN_URL, LECTERN_ACCOUNT, LECTERN_SECRET, PARTNER_JOURNAL, PORT = '4000' } = process.env
const here = `http://127.0.0.1:${PORT}`
const inData = name => fileURLToPath(new URL(`../data/${name}`, import.meta.url))

const stop = message => {
  console.error(message)
  process.exit(1)
}

// --- The client of Lectern, with one service account.

const account = findAccount()
const baseUrl = LECTERN_URL ?? account.url ?? 'http://127.0.0.1:8080'
const lectern = new PartnerClient({
  baseUrl,
  serviceAccount: account.service_account,
  clientSecret: account.client_secret,
  retryDelaysMs: [300], // a person waits for the page; background jobs should keep the default of 1, 3 and 10 s
})
const webhookSecret = randomBytes(32).toString('hex') // generated and registered at every start

function findAccount() {
  if (LECTERN_ACCOUNT && LECTERN_SECRET) {
    return { service_account: LECTERN_ACCOUNT, client_secret: LECTERN_SECRET }
  }
  const file = inData('demo-account.json')
  if (!existsSync(file)) stop('No account: run `npm start` first, or set LECTERN_ACCOUNT and LECTERN_SECRET.')
  return JSON.parse(readFileSync(file, 'utf8'))
}

// --- Durable state: a journal of lessons and events, written to disk before a request is acknowledged.

const lessons = new Map()
const events = new Map()
mkdirSync(inData(''), { recursive: true })
const journalFile = PARTNER_JOURNAL ?? inData('partner-journal.jsonl')
const journal = openSync(journalFile, 'a')
for (const line of readFileSync(journalFile, 'utf8').split('\n')) {
  try {
    apply(JSON.parse(line))
  } catch {
    // Empty, or truncated by a crash before it was acknowledged.
  }
}

function apply({ lesson, event }) {
  if (lesson) lessons.set(lesson.id, lesson)
  if (event) events.set(event.id, event)
}

/** An entry begins with a line break, so that a truncated entry does not corrupt the next one. */
function store(entry) {
  appendFileSync(journal, `\n${JSON.stringify(entry)}`)
  fsyncSync(journal)
  apply(entry)
}

// --- Request handlers.

const redirectToLessons = { status: 303, headers: { location: '/' } }
const notFound = { status: 404, body: messagePage('There is nothing here.') }

/** Verifies the raw bytes and stores the event before it responds with 2xx. An event may be delivered more than once. */
async function receiveWebhook(request) {
  const rawBody = await buffer(request)
  const event = verifyWebhook({ rawBody, headers: request.headers, secret: webhookSecret })
  if (!events.has(event.id)) store({ event })
  return { status: 204 }
}

/** Stores the lesson first, so that its id stays the same when the creation of its room is retried. */
async function addLesson(request) {
  const form = new URLSearchParams(await text(request))
  const person = role => ({ display_name: form.get(role) ?? '' }) // an `external_id` would give the person a permanent account
  const room = {
    title: form.get('title') || 'Lesson',
    teacher: person('teacher'),
    student: person('student'),
  }
  const lesson = { id: `lesson-${randomUUID()}`, room }
  store({ lesson })
  await lectern.createRoom(lesson.id, room)
  return redirectToLessons
}

const actions = {
  create: ({ id, room }) => lectern.createRoom(id, room), // does not change an existing room
  cancel: ({ id }) => lectern.cancelRoom(id),
  close: ({ id }) => lectern.closeRoom(id),
}

async function actOnLesson(id, action) {
  const lesson = lessons.get(id)
  if (!lesson || !Object.hasOwn(actions, action)) return notFound
  await actions[action](lesson)
  return redirectToLessons
}

async function showLessons() {
  const withRooms = [...lessons.values()].map(async ({ id, room: { title } }) => {
    const found = await lectern.roomStatus(id).then(
      room => ({ room }),
      error => ({ error }),
    )
    return { id, title, ...found }
  })
  return { status: 200, body: lessonsPage(await Promise.all(withRooms), [...events.values()]) }
}

// --- The server.

async function route(request) {
  const { method, url, headers } = request
  const [, part, id, action] = url.split('/')
  if (method === 'GET' && url === '/') return showLessons()
  if (method !== 'POST') return notFound
  if (url === '/webhooks') return receiveWebhook(request)
  // Protects against cross-site request forgery.
  if ((headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') return { status: 403 }
  if (url === '/lessons') return addLesson(request)
  return part === 'lessons' ? actOnLesson(id, action) : notFound
}

/** 4xx for an invalid delivery, which must not be retried; 5xx for one that could not be stored. */
function failure(error) {
  console.error(error)
  const status = error instanceof WebhookVerificationError ? 400 : error instanceof LecternError ? 502 : 500
  return { status, body: messagePage(error.message) }
}

const server = createServer(async (request, response) => {
  const { status, headers, body } = await route(request).catch(failure)
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
})

async function registerWebhook() {
  try {
    await lectern.setWebhook({ url: `${here}/webhooks`, secret: webhookSecret, enabled: true })
    console.log(`Events come to ${here}/webhooks`)
  } catch (error) {
    if (error.status !== 400) throw error
    console.warn(`No events: Lectern does not take ${here}/webhooks. ${error.message}`)
    console.warn('For development start it with SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS=1.')
  }
}

server.on('error', error => stop(`The page cannot be served: ${error.message}`))
server.listen(Number(PORT), '127.0.0.1', async () => {
  try {
    await registerWebhook()
    console.log(`Lessons are at ${here}`)
  } catch (error) {
    const hint = error.status === null ? ' Is it running? `npm start` in another terminal starts it.' : ''
    stop(`Lectern at ${baseUrl}: ${error.message}${hint}`)
  }
})

// A partner's platform: lessons on a page, their rooms hosted by Lectern, events by webhook.
//
//   npm start                            in one terminal: the server, with a demo account
//   node examples/partner-backend.mjs    in another; then open http://127.0.0.1:4000
//
// For another server set LECTERN_URL, LECTERN_ACCOUNT and LECTERN_SECRET. PORT and PARTNER_JOURNAL move the
// page and the file that keeps what happened.

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

// --- Lectern, as one service account of ours.

const account = findAccount()
const baseUrl = LECTERN_URL ?? account.url ?? 'http://127.0.0.1:8080'
const lectern = new PartnerClient({
  baseUrl,
  serviceAccount: account.service_account,
  clientSecret: account.client_secret,
  retryDelaysMs: [300], // people wait for our page; what runs in the background keeps the default 1, 3, 10 s
})
const webhookSecret = randomBytes(32).toString('hex') // a new one for each run, registered when we start

function findAccount() {
  if (LECTERN_ACCOUNT && LECTERN_SECRET) {
    return { service_account: LECTERN_ACCOUNT, client_secret: LECTERN_SECRET }
  }
  const file = inData('demo-account.json')
  if (!existsSync(file)) stop('No account: run `npm start` first, or set LECTERN_ACCOUNT and LECTERN_SECRET.')
  return JSON.parse(readFileSync(file, 'utf8'))
}

// --- What must survive a crash: a journal of lessons and events, on the disk before anybody is told "yes".

const lessons = new Map()
const events = new Map()
mkdirSync(inData(''), { recursive: true })
const journalFile = PARTNER_JOURNAL ?? inData('partner-journal.jsonl')
const journal = openSync(journalFile, 'a')
for (const line of readFileSync(journalFile, 'utf8').split('\n')) {
  try {
    apply(JSON.parse(line))
  } catch {
    // Empty, or cut short by a crash; then nobody was told "yes".
  }
}

function apply({ lesson, event }) {
  if (lesson) lessons.set(lesson.id, lesson)
  if (event) events.set(event.id, event)
}

/** An entry begins with the line break, so that one cut short does not spoil the next. */
function store(entry) {
  appendFileSync(journal, `\n${JSON.stringify(entry)}`)
  fsyncSync(journal)
  apply(entry)
}

// --- What we do, for Lectern and for people.

const seeLessons = { status: 303, headers: { location: '/' } }
const notFound = { status: 404, body: messagePage('There is nothing here.') }

/** Verify the raw bytes, store, and only then answer 2xx. The same event may come more than once. */
async function receiveWebhook(request) {
  const rawBody = await buffer(request)
  const event = verifyWebhook({ rawBody, headers: request.headers, secret: webhookSecret })
  if (!events.has(event.id)) store({ event })
  return { status: 204 }
}

/** The lesson is stored first: its id stays the same, however often its room has to be asked for. */
async function addLesson(request) {
  const form = new URLSearchParams(await text(request))
  const person = role => ({ display_name: form.get(role) ?? '' }) // with `external_id`: a lasting account
  const room = {
    title: form.get('title') || 'Lesson',
    teacher: person('teacher'),
    student: person('student'),
  }
  const lesson = { id: `lesson-${randomUUID()}`, room }
  store({ lesson })
  await lectern.createRoom(lesson.id, room)
  return seeLessons
}

const actions = {
  create: ({ id, room }) => lectern.createRoom(id, room), // a room that exists is left as it is
  cancel: ({ id }) => lectern.cancelRoom(id),
  close: ({ id }) => lectern.closeRoom(id),
}

async function actOnLesson(id, action) {
  const lesson = lessons.get(id)
  if (!lesson || !Object.hasOwn(actions, action)) return notFound
  await actions[action](lesson)
  return seeLessons
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
  // Other sites must not press our buttons.
  if ((headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') return { status: 403 }
  if (url === '/lessons') return addLesson(request)
  return part === 'lessons' ? actOnLesson(id, action) : notFound
}

/** To a delivery that is not genuine say no for good (4xx); for one we could not store, "again" (5xx). */
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

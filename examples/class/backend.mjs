// A school's backend: lessons for a class, each person with a link of their own, the video of the lesson, and all events.
//
//   npm install https://YOUR-SERVER/clients/lectern-partner.tgz
//   LECTERN_URL=… LECTERN_ACCOUNT=… LECTERN_SECRET=… EVENTS_SECRET=… node backend.mjs
//
// EVENTS_SECRET has 16 characters or more and signs the events. PORT is that of this program, JOURNAL its file.

import { appendFileSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { PartnerClient, verifyStandardWebhook, WebhookVerificationError } from '@lectern/partner'

const { LECTERN_URL, LECTERN_ACCOUNT, LECTERN_SECRET, EVENTS_SECRET: secret = '' } = process.env
const { PORT = '4001', JOURNAL = 'journal.jsonl' } = process.env
const url = `http://127.0.0.1:${PORT}/events`
const { v2: lectern } = new PartnerClient({
  baseUrl: LECTERN_URL ?? '',
  serviceAccount: LECTERN_ACCOUNT ?? '',
  clientSecret: LECTERN_SECRET ?? '',
})

// --- Events on the disk, each once, and the position up to which all of them are there.

const events = new Map()
let last = 0
const lines = existsSync(JOURNAL) ? readFileSync(JOURNAL, 'utf8').split('\n') : []
for (const line of lines) {
  try {
    apply(JSON.parse(line))
  } catch {
    // Empty, or cut off by a crash before it was acknowledged.
  }
}
const journal = openSync(JOURNAL, 'a')

function apply(entry) {
  if (entry.event) events.set(entry.event.id, entry.event)
  if (entry.last) last = entry.last
}

function store(entry) {
  appendFileSync(journal, `\n${JSON.stringify(entry)}`)
  fsyncSync(journal)
  apply(entry)
}

/** Reads what was missed while this program did not run. */
async function catchUp() {
  const missed = lectern.events({ after: last })
  for await (const event of missed) if (!events.has(event.id)) store({ event })
  store({ last: missed.last })
}

// --- What the school's pages would call.

async function receive(request) {
  const event = verifyStandardWebhook({ rawBody: await buffer(request), headers: request.headers, secret })
  if (event.type !== 'webhook.test' && !events.has(event.id)) store({ event })
  return {}
}

const actions = {
  async create(lesson, { title, people }) {
    const metadata = { lesson } // comes back in every event
    const room = { title, lobby: true, metadata }
    await lectern.putRoom(lesson, { ...room, recording: { mode: 'automatic', format: 'mp4' } })
    const links = {}
    for (const { id, name, role } of people)
      links[id] = (await lectern.putPerson(lesson, id, { display_name: name, role, metadata })).join_url
    return { tag: (await lectern.getRoom(lesson)).tag, links }
  },
  async video(lesson) {
    const { recordings } = await lectern.listRecordings({ room: lesson })
    const [recording] = recordings
    if (!recording) return { url: null }
    return lectern.createRecordingLink(recording.id, { path: 'recording.mp4', expires_in: 600 })
  },
  delete: lesson => lectern.deleteRoom(lesson),
  events: lesson => ({
    events: [...events.values()]
      .filter(({ room }) => room.external_id === lesson)
      .sort((a, b) => a.sequence - b.sequence),
  }),
}

async function route(request) {
  if (request.method === 'POST' && request.url === '/events') return receive(request)
  const [, action, lesson] = (request.url ?? '').split('/')
  const act = Object.hasOwn(actions, action) ? actions[action] : null
  if (request.method !== 'POST' || !act || !lesson) return null
  const body = await buffer(request)
  return act(decodeURIComponent(lesson), body.length > 0 ? JSON.parse(body.toString()) : {})
}

const server = createServer(async (request, response) => {
  const answer = await route(request).then(
    body => ({ status: body ? 200 : 404, body }),
    error => ({
      status: error instanceof WebhookVerificationError ? 400 : 502,
      body: { error: error.message },
    }),
  )
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
})

server.listen(Number(PORT), '127.0.0.1', async () => {
  const { endpoints } = await lectern.listEndpoints()
  const known = endpoints.find(endpoint => endpoint.url === url)
  if (!known) await lectern.addEndpoint({ url, secret })
  else if (!known.enabled) await lectern.updateEndpoint(known.id, { enabled: true }) // it was away for five days
  await catchUp()
  console.log('Ready')
})

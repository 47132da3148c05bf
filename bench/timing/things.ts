import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Send, succeed } from './client.ts'
import { V1, V2, type Version } from './routes.ts'

/** The parameters of paths, by version of the API. */
export type Values = Record<Version, Record<string, string>>

const LESSON = { title: 'Algebra', starts_at: '2031-05-14T09:30:00Z', ends_at: '2031-05-14T10:15:00Z' }
/** Nobody listens there. */
const RECEIVER = 'http://127.0.0.1:9/'
/** What a long lesson has: reading it takes longer than to see that there is nothing. */
const SPOKEN = 'Good morning, and welcome. '.repeat(40_000)

/** One thing of every kind, of the partner. */
export async function addThings(send: Send, token: string, folder: string, name: string): Promise<Values> {
  const call = <T>(method: string, path: string, body?: unknown) =>
    succeed<T>(send, { method, path, token, body })
  const room = `lesson-${name}`
  const person = `student-${name}`
  const job = `job_${name}`
  const { tag } = await call<{ tag: string }>('PUT', `${V2}/rooms/${room}`, LESSON)
  await call('PUT', `${V2}/rooms/${room}/people/${person}`, { display_name: 'Ben' })
  const endpoint = (await call<{ id: string }>('POST', `${V2}/endpoints`, { url: RECEIVER })).id
  const delivery = (await call<{ id: string }>('POST', `${V2}/endpoints/${endpoint}/test`)).id
  // Nothing is sent while it is measured.
  await call('PATCH', `${V2}/endpoints/${endpoint}`, { enabled: false })
  const webhook = { url: RECEIVER, secret: 'a secret of enough characters' }
  await call('PUT', `${V1}/webhook`, { ...webhook, events: ['recording.ready'], enabled: true })
  const delivery_id = (await call<{ id: string }>('POST', `${V1}/webhook/test`)).id
  await call('PUT', `${V1}/webhook`, { ...webhook, events: ['recording.ready'], enabled: false })
  addFinishedLesson(folder, { room, tag, job, delivery_id })
  return {
    [V1]: { external_id: room, delivery_id },
    [V2]: {
      external_id: room,
      person_external_id: person,
      participant_id: `${name.length}.1.1`,
      recording_id: job,
      transcript_id: job,
      endpoint_id: endpoint,
      delivery_id: delivery,
      link_id: `lnk_${name}`,
    },
  }
}

/** Things of the same form that nobody has. */
export const nobodys = (values: Values): Values => ({
  [V1]: changeEach(values[V1]),
  [V2]: changeEach(values[V2]),
})

const changeEach = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, `${value.slice(0, -3)}000`]))

/** Writes a recording and a transcript, which need no call here, and what webhooks of long lessons have. */
function addFinishedLesson(
  folder: string,
  { room, tag, job, delivery_id }: { room: string; tag: string; job: string; delivery_id: string },
) {
  const integration = new Database(join(folder, 'data', 'integration.db'))
  const { client_id } = integration
    .prepare('SELECT client_id FROM rooms WHERE external_id = ?')
    .get(room) as { client_id: number }
  integration.prepare('UPDATE webhook_deliveries SET body = ? WHERE id = ?').run(SPOKEN, delivery_id)
  integration.close()
  const main = new Database(join(folder, 'data', 'lectern.db'))
  const about = { job_id: job, conference_tag: tag, conference_session_id: 1, status: 'completed' }
  const times = { started_at_ms: 1, ended_at_ms: 2, indexed_at: 1, notified_at: 1 }
  insert(main, 'recordings', {
    ...{ ...about, ...times, owner_id: client_id, profile: 'consolidated_native', duration_ms: 1 },
    ...{ output_dir: '', files: '[]', artifact: '{}' },
  })
  const segments = JSON.stringify([
    { from_ms: 0, to_ms: 1, speaker: { client_id: 1, display_name: 'Anna' }, text: SPOKEN },
  ])
  insert(main, 'transcripts', {
    ...{ ...about, ...times, language: 'en', engine: 'e', reason: 'stopped', text: SPOKEN, segments },
  })
  main.close()
}

function insert(database: Database.Database, table: string, row: Record<string, unknown>) {
  const columns = Object.keys(row)
  database
    .prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`)
    .run(...Object.values(row))
}

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { backUp } from '../../operations/backup/backup.ts'
import { retentionStore } from '../../operations/stores/retention.ts'
import { openIntegrationStore } from '../../platform/db/open.ts'
import { startReceiver, status } from '../../platform/delivery/testing/receiver.ts'
import { documentScope, FILE_SCOPE, transcriptScope } from '../../records/scope.ts'
import { jobStore } from '../../records/stores/jobs.ts'
import { recordingRemovalStore } from '../../records/stores/recording-removals.ts'
import { openTestArchive, type TestArchive } from '../../records/testing/archive.ts'
import { upload } from '../../records/testing/uploads.ts'
import { usesPostgres } from '../../testing/location.ts'
import { enterLink, type Partner, resolveLink } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { openTestCalls, sweepRecordings, type Version2, version2 } from './testing.ts'

const NAME = 'Zoraida Quux'
const ID = 'pupil-zq-4711'
/** What could not be described is tried again. */
const RETRIED_AFTER_MS = 5_000
const SCHEMAS = { main: 'lectern', integration: 'integration' }

let server: TestServer
let calls: Awaited<ReturnType<typeof openTestCalls>>
let archive: TestArchive
let school: Partner
let api: Version2
beforeAll(async () => {
  server = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
  calls = await openTestCalls(server)
  archive = await openTestArchive(server)
  school = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
  api = version2(server, school)
})
afterAll(async () => {
  await archive.close()
  await calls.close()
  await server.close()
})

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 100_000, interval: 50 })

/** A call with a recording and a transcript, of which everything has the name. */
async function aRecordedCall(externalId: string) {
  const { tag } = (await api('PUT', `/rooms/${externalId}`, { body: { title: 'Algebra' } })).body
  const others = [await aGuest(), await aFormerTeacher(externalId)]
  const person = { display_name: NAME, metadata: { n: NAME } }
  const zoe = (await api('PUT', `/rooms/${externalId}/people/${ID}`, { body: person })).body
  const userId = (await enterLink(server.call, zoe.join_url, { display_name: NAME })).body.user_id
  const lease = await calls.start(tag)
  await calls.join(lease, userId, NAME)
  for (const each of others) await calls.join(lease, each, NAME)
  const message = { chat_id: `session:${lease.sessionId}`, user_id: userId, command_id: 'c', sent_at_ms: 1 }
  await calls.db
    .insertInto('chat_messages')
    .values({ ...message, display_name: NAME, text: NAME, edited_at_ms: null, deleted_at_ms: null })
    .execute()
  const job = `job_${externalId}`
  const { id } = await archive.addBlob(tag, NAME.repeat(100), { name: 'recording.mkv' })
  await archive.addBlob(tag, `${NAME} again`, { name: 'left.mkv' })
  const recording = { blobIds: [id], artifact: { name: NAME }, conferenceSessionId: lease.sessionId }
  await archive.addRecording(tag, job, recording)
  await addTranscript(tag, lease.sessionId, job)
  await addFile(tag, lease.sessionId, userId)
  await until(async () => expect(await tablesWith(NAME)).toContain('partner_events'))
  return { tag, link: zoe.join_url as string, job }
}

const aGuest = async (): Promise<number> =>
  (await server.call('POST', '/api/v1.0/auth/guest', { body: { display_name: NAME } })).body.user.user_id

/** Who was the teacher of version 1 before. */
async function aFormerTeacher(room: string): Promise<number> {
  const teacher = { external_id: `${ID}-former`, display_name: NAME }
  const { teacher_join_url } = (await school.patch(room, { teacher })).body
  const { user_id } = (await enterLink(server.call, teacher_join_url)).body
  await school.patch(room, { teacher: { external_id: `${ID}-teacher`, display_name: NAME } })
  return user_id
}

/** A document in the chat, of which a page is converted, and what a converter and a transcriber have uploaded last. */
async function addFile(tag: string, sessionId: number, userId: number) {
  const add = (scope: string) => upload(archive.blobs, Buffer.from(`${NAME} in ${scope}`), { scope })
  const { id } = await add(FILE_SCOPE)
  const { id: blob_id } = await add(documentScope(id))
  await add(documentScope(id))
  const about = { conference_tag: tag, conference_session_id: sessionId, user_id: userId, purpose: 'slides' }
  const named = { name: `${NAME}.pdf`, display_name: NAME, content_type: 'application/pdf', size: 1 }
  await calls.db
    .insertInto('conference_files')
    .values({ id, ...about, ...named, state: 'ready', created_at_ms: 1 })
    .execute()
  await calls.db
    .insertInto('document_blobs')
    .values({ blob_id, file_id: id, page_number: 1, part: 'text' })
    .execute()
  const job = { id: `job_of_${tag}`, kind: 'transcription', scope: 'manual', state: 'cancelled' } as const
  const ended = { attempts: 1, stop_requested: 1, active: 0, session_incarnation: 0 }
  await calls.db
    .insertInto('jobs')
    .values({
      ...{ ...job, ...ended, conference_tag: tag, conference_session_id: sessionId },
      ...{ params: '{}', details: '{}', created_at_ms: 1, updated_at_ms: 1 },
    })
    .execute()
  await add(transcriptScope(job.id))
}

async function addTranscript(tag: string, sessionId: number, recordingJob: string) {
  const times = await calls.db
    .selectFrom('recordings')
    .select(['started_at_ms', 'ended_at_ms'])
    .where('job_id', '=', recordingJob)
    .executeTakeFirstOrThrow()
  const speaker = { client_id: 5, device_id: 1, name: NAME }
  const text = `I am ${NAME}. This is ${recordingJob}.`
  const segments = [{ seq: 1, at: 1_005_000, speaker, text, partial: false }]
  const about = { conference_session_id: sessionId, status: 'completed', language: 'en', engine: 'e' }
  await calls.db
    .insertInto('transcripts')
    .values({
      ...{ job_id: `${recordingJob}_t`, conference_tag: tag, ...about, ...times, reason: 'stopped' },
      ...{ text, segments: JSON.stringify(segments), indexed_at: 1, notified_at: null },
    })
    .execute()
}

const eventsOf = async (tag: string) => {
  const { events } = (await api('GET', '/events?limit=200')).body
  return events.filter((each: { room: { tag: string } }) => each.room.tag === tag)
}

describe('DELETE', () => {
  it('DELETE-2 of a recording leaves nothing of what was said', async () => {
    const { tag, job } = await aRecordedCall('recorded')
    await until(async () => {
      const types = (await eventsOf(tag)).map(({ type }: { type: string }) => type)
      expect(types).toContain('transcription.ready')
    })
    const said = `I am ${NAME}.`
    expect(await tablesWith(said)).toEqual(expect.arrayContaining(['partner_events', 'transcripts']))
    expect((await api('DELETE', `/recordings/${job}`)).status).toBe(200)
    await until(async () => expect((await eventsOf(tag)).at(-1).type).toBe('recording.deleted'))
    expect(await tablesWith(said)).toEqual([])
    expect(await filesWith(join(server.config.Server.DataDir, 'blobs'), NAME.repeat(100))).toEqual([])
    const events = await eventsOf(tag)
    expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      events.map((_: unknown, i: number) => i + 1),
    )
    expect((await api('DELETE', '/rooms/recorded')).status).toBe(200)
    await until(async () => expect((await eventsOf(tag))[0].type).toBe('room.deleted'))
  })

  it('DELETE-2 leaves nothing of what was said either where an administrator or [Retention] deletes', async () => {
    const said = `I am ${NAME}.`
    const webhook = { url: 'http://127.0.0.1:9/', secret: 'a secret of some length' }
    await school.call('PUT', '/webhook', { body: webhook })
    const integration = await openIntegrationStore(server.config.Db.IntegrationDb)
    const byAdministrator = (job: string) => recordingRemovalStore(calls.db).begin(job, 1)
    const byAge = () => retentionStore(calls.db).removeTranscripts(Date.now(), 10)
    const recorded = await Promise.all(
      (
        [
          ['by-administrator', byAdministrator],
          ['by-age', byAge],
        ] as const
      ).map(async ([externalId, remove]) => ({ externalId, remove, ...(await aRecordedCall(externalId)) })),
    )
    server.advance(30_000) // the outbox looks for what other servers have stored
    const delivered = () =>
      integration.db
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('body', 'like', `%${said}%`)
        .execute()
    await until(async () => expect(await delivered()).toHaveLength(recorded.length))
    for (const { externalId, remove, tag, job } of recorded) {
      const about = `This is ${job}.`
      expect(await tablesWith(about)).toEqual(
        expect.arrayContaining(['partner_events', 'transcripts', 'webhook_deliveries']),
      )
      await remove(job)
      expect(await tablesWith(about)).toEqual(['webhook_deliveries'])
      await sweepRecordings(calls.db, integration.db)
      expect(await tablesWith(about)).toEqual([])
      const types = (await eventsOf(tag)).map(({ type }: { type: string }) => type)
      expect(types).toContain('transcription.ready')
      await api('DELETE', `/rooms/${externalId}`)
      await until(async () => expect((await eventsOf(tag))[0].type).toBe('room.deleted'))
    }
    await integration.close()
  })

  it('DELETE-1 of a room leaves nothing of its people: in tables, on the disk, in a backup made afterwards', async () => {
    const { tag, link } = await aRecordedCall('gone')
    const stored = join(server.config.Server.DataDir, 'blobs')
    expect((await filesWith(stored, NAME)).length).toBe(6)
    expect(await tablesWith(NAME)).toContain('conference_files')
    await api('POST', `/rooms/gone/people/${ID}/rotate`, { headers: { 'idempotency-key': 'gone-1' } })
    expect(await tablesWith(NAME)).toContain('partner_requests')

    expect((await api('DELETE', '/rooms/gone')).status).toBe(200)
    expect(await api('GET', '/rooms/gone')).toEqual(refused(404, 'room_not_found'))
    expect(await resolveLink(server.call, link)).toEqual(refused(404, 'room_not_found'))
    await until(async () =>
      expect(await eventsOf(tag)).toMatchObject([{ type: 'room.deleted', room: { external_id: 'gone' } }]),
    )
    // The outbox of records withdraws a webhook that it has added meanwhile.
    await until(async () => expect(await tablesWith(NAME)).toEqual([]))
    expect(await tablesWith(ID)).toEqual(['participants'])
    expect(await filesWith(stored, NAME)).toEqual([])
    if (!usesPostgres()) expect(await backupWith(NAME)).toEqual([])
    expect((await api('PUT', '/rooms/gone')).body.created).toBe(true)
  })

  it('DELETE-1 of a room is not complete while a file cannot be removed', async () => {
    const { tag } = await aRecordedCall('kept')
    const stored = join(server.config.Server.DataDir, 'blobs')
    const files = (await filesWith(stored, NAME)).map(path => ({ path, bytes: readFileSync(path) }))
    for (const { path } of files) {
      rmSync(path)
      mkdirSync(join(path, 'in-the-way'), { recursive: true })
    }
    expect((await api('DELETE', '/rooms/kept')).status).toBe(200)
    // Deletions go on in their order: when this one is complete, the other one has been tried.
    const other = (await api('PUT', '/rooms/after')).body
    await api('DELETE', '/rooms/after')
    await until(async () => expect(await eventsOf(other.tag)).toMatchObject([{ type: 'room.deleted' }]))
    const before = (await eventsOf(tag)).map(({ type }: { type: string }) => type)
    expect(before).not.toContain('room.deleted')

    for (const { path, bytes } of files) {
      rmSync(path, { recursive: true })
      writeFileSync(path, bytes)
    }
    await until(async () => expect(await eventsOf(tag)).toMatchObject([{ type: 'room.deleted' }]))
    expect(await filesWith(stored, NAME)).toEqual([])
    expect(await tablesWith(tag)).toEqual(expect.not.arrayContaining(['blobs', 'recordings']))
  })

  it('DELETE-1 of a room gives endpoints a minute to accept what happened last', async () => {
    const receiver = await startReceiver(status(503))
    const endpoint = { url: receiver.url, events: ['recording.deleted', 'room.deleted'] }
    const { id } = (await api('POST', '/endpoints', { body: endpoint })).body
    const received = () => receiver.received.map(({ body }) => JSON.parse(body).type)
    for (const [room, accepted] of [
      ['brief', ['recording.deleted', 'room.deleted']],
      ['away', ['room.deleted']],
    ] as const) {
      receiver.received.length = 0
      receiver.answer = status(503)
      await aRecordedCall(room)
      expect((await api('DELETE', `/rooms/${room}`)).status).toBe(200)
      await until(async () =>
        expect((await deliveriesOf(id))[0]).toMatchObject({ type: 'recording.deleted', error: 'HTTP 503' }),
      )
      const change = (columns: { created_at_ms?: number; next_attempt_at_ms: number }) =>
        calls.db.updateTable('partner_deliveries').set(columns).where('endpoint_id', '=', id).execute()
      if (room === 'away') await change({ created_at_ms: 1, next_attempt_at_ms: 9e15 })
      const refused = receiver.received.length
      receiver.answer = status(204)
      if (room === 'brief') await change({ next_attempt_at_ms: 1 })
      await until(() => expect(received().slice(refused)).toEqual(accepted))
    }
    await api('DELETE', `/endpoints/${id}`)
    await receiver.close()
  })

  it('DELETE-1 of a room that is being recorded does not wait for ever for a worker that is gone', async () => {
    const { tag } = (await api('PUT', '/rooms/recording')).body
    const lease = await calls.start(tag)
    const job = {
      id: 'job_of_a_lost_worker',
      kind: 'recording',
      scope: 'partner_auto',
      state: 'leased',
    } as const
    const held = { owner_user_id: 999, owner_worker_id: 'lost', lease_until_ms: 1, active: 1, attempts: 1 }
    await calls.db
      .insertInto('jobs')
      .values({
        ...{ ...job, ...held, conference_tag: tag, conference_session_id: lease.sessionId },
        ...{ stop_requested: 0, session_incarnation: 0, params: '{}', details: '{}' },
        ...{ created_at_ms: Date.now(), updated_at_ms: Date.now() },
      })
      .execute()
    expect((await api('DELETE', '/rooms/recording')).status).toBe(200)
    const state = () =>
      calls.db.selectFrom('jobs').select(['state', 'stop_requested']).where('id', '=', job.id).execute()
    await until(async () => expect(await state()).toEqual([{ state: 'leased', stop_requested: 1 }]))
    const before = { requested_at_ms: Date.now() - 600_001 }
    await calls.db.updateTable('partner_room_deletions').set(before).where('tag', '=', tag).execute()
    await until(async () => expect(await state()).toEqual([]))
    await until(async () => expect(await eventsOf(tag)).toMatchObject([{ type: 'room.deleted' }]))
    // The worker asks for it when it comes back, and removes what it has captured.
    expect(await jobStore(calls.db).isDeleted(job.id)).toBe(true)
  })

  it('DELETE-1 of a room forgets no answers about a new one with its id, which exists meanwhile', async () => {
    const headers = { 'idempotency-key': 'again-1' }
    const rotate = () => api('POST', '/rooms/again/people/a/rotate', { headers })
    const { tag } = (await api('PUT', '/rooms/again')).body
    await api('PUT', '/rooms/again/people/a')
    const first = (await rotate()).body.join_url
    // It cannot be completed before this becomes an event.
    const waiting = { tag, type: 'recording.failed', subject: 'job:again', at_ms: 9e15, data: '{}' } as const
    await calls.db.insertInto('partner_outbox').values(waiting).execute()
    expect((await api('DELETE', '/rooms/again')).status).toBe(200)
    await api('PUT', '/rooms/again')
    await api('PUT', '/rooms/again/people/a')
    const second = (await rotate()).body.join_url
    expect(second).not.toBe(first)
    await calls.db.updateTable('partner_outbox').set({ at_ms: 1 }).where('tag', '=', tag).execute()
    server.advance(RETRIED_AFTER_MS)
    await until(async () => expect(await eventsOf(tag)).toMatchObject([{ type: 'room.deleted' }]))
    expect(await rotate()).toMatchObject({ status: 200, body: { join_url: second } })
  })

  it('of a person who was in no call leaves nothing', async () => {
    await api('PUT', '/rooms/planned', { body: { title: 'Algebra' } })
    const body = { display_name: 'Quentin Zork', metadata: { n: 'Quentin Zork' } }
    await api('PUT', '/rooms/planned/people/pupil-qz', { body })
    expect(await tablesWith('Quentin Zork')).toEqual(['partner_people'])
    const headers = { 'idempotency-key': 'planned-1' }
    const { join_url } = (await api('POST', '/rooms/planned/people/pupil-qz/rotate', { headers })).body
    await enterLink(server.call, join_url)
    expect(await tablesWith('Quentin Zork')).toContain('partner_requests')
    expect(await tablesWith('Quentin Zork')).toContain('users')
    await api('DELETE', '/rooms/planned/people/pupil-qz')
    expect(await tablesWith('Quentin Zork')).toEqual([])
    expect(await tablesWith('pupil-qz')).toEqual(['participants'])
  })
})

const deliveriesOf = async (endpoint: string) =>
  (await api('GET', `/endpoints/${endpoint}/deliveries?order=desc`)).body.deliveries

async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const kind of ['main', 'integration'] as const) {
    const names = await server.query<{ name: string }>(
      kind,
      usesPostgres()
        ? sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = ${SCHEMAS[kind]}`
        : sql`SELECT name FROM sqlite_master WHERE type = 'table'`,
    )
    for (const { name } of names) {
      const rows = await server.query<object>(kind, sql`SELECT * FROM ${sql.table(name)}`)
      if (JSON.stringify(rows).includes(text)) found.push(name)
    }
  }
  return found
}

async function filesWith(folder: string, text: string): Promise<string[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile())
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(path => readFileSync(path).includes(text))
}

/** The files of a new backup with the text, free pages of its databases included. */
async function backupWith(text: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-backup-'))
  try {
    const target = join(folder, 'backup')
    await backUp({ config: server.config, configFile: null, target, version: '0.0.0', onProgress: () => {} })
    return await filesWith(folder, text)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

import { createHmac } from 'node:crypto'
import {
  type AttendanceEntry,
  EndpointTestEvent,
  type HostedEvent,
  PARTNER_EVENT_SCHEMAS,
  POSITION_MAX,
} from '@lectern/protocol'
import { Ajv } from 'ajv'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTransaction } from '../../platform/db/transaction.ts'
import { type Receiver, startReceiver, status } from '../../platform/delivery/testing/receiver.ts'
import { openTestArchive, type TestArchive } from '../../records/testing/archive.ts'
import { sessionStore } from '../../sessions/stores/conference-sessions.ts'
import { usesPostgres } from '../../testing/location.ts'
import { enterLink, type Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { endpointStore } from '../stores/v2/endpoints.ts'
import { partnerEventStore, positionAt } from '../stores/v2/events.ts'
import { openTestCalls, type Version2, version2 } from './testing.ts'

const DAY_MS = 86_400_000
/** What could not be described is tried again. */
const RETRIED_AFTER_MS = 5_000

let server: TestServer
let calls: Awaited<ReturnType<typeof openTestCalls>>
let archive: TestArchive
let receiver: Receiver
let partner: Partner
let api: Version2
let rooms = 0
beforeAll(async () => {
  server = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
  calls = await openTestCalls(server)
  archive = await openTestArchive(server)
  receiver = await startReceiver()
})
afterAll(async () => {
  await archive.close()
  await calls.close()
  await server.close()
  await receiver.close()
})
beforeEach(async () => {
  partner = await server.addPartner(`school-${++rooms}`)
  api = version2(server, partner)
  receiver.received.length = 0
  receiver.answer = status(204)
})

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 100_000, interval: 50 })

const room = async (externalId = 'lesson') => {
  const { body } = await api('PUT', `/rooms/${externalId}`, { body: { metadata: { course: 'algebra' } } })
  return body.tag as string
}

/** Waits for that many events. */
async function events(count: number, query = ''): Promise<HostedEvent[]> {
  const read = async () => (await api('GET', `/events?limit=200${query}`)).body.events as HostedEvent[]
  await until(async () => expect((await read()).length).toBeGreaterThanOrEqual(count))
  return read()
}

/** A call in which Ben, whom the partner knows, and a guest were. */
async function aCall(tag: string) {
  const { body: ben } = await api('PUT', '/rooms/lesson/people/student-9', {
    body: { display_name: 'Ben', metadata: { seat: '4' } },
  })
  const userId = (await enterLink(server.call, ben.join_url)).body.user_id as number
  const lease = await calls.start(tag)
  const inside = await calls.join(lease, userId, 'Ben', 1_000_000)
  await calls.join(lease, 999_000, 'Guest')
  await calls.leave(inside, 1_060_000)
  await calls.end(lease)
  return { userId, lease }
}

describe('events', () => {
  it('EVENTS-1 tell a call in order, without gaps, with the own ids of people and metadata', async () => {
    const { lease } = await aCall(await room())
    const found = await events(6)
    expect(found.map(({ type }) => type)).toEqual([
      'room.started',
      'participant.joined',
      'participant.joined',
      'participant.left',
      'participant.left',
      'room.ended',
    ])
    expect(found.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
    expect(found[1]).toMatchObject({
      room: { external_id: 'lesson', metadata: { course: 'algebra' } },
      data: {
        session_id: lease.sessionId,
        participant: {
          external_id: 'student-9',
          display_name: 'Ben',
          metadata: { seat: '4' },
          left_at: null,
        },
      },
    })
    expect(found[3]?.data).toMatchObject({ participant: { external_id: 'student-9', reason: 'left' } })
    expect(found[5]?.data).toMatchObject({
      attendance: [{ external_id: 'student-9' }, { external_id: null, reason: 'ended' }],
    })
    const ajv = new Ajv({ strict: false, validateFormats: false })
    for (const event of found)
      expect(ajv.validate(PARTNER_EVENT_SCHEMAS[event.type] as object, event) || ajv.errorsText()).toBe(true)
  })

  it('EVENTS-2 are read on from a position, and pages have the same events', async () => {
    await aCall(await room())
    const all = await events(6)
    const first = (await api('GET', '/events?limit=4')).body
    expect(first).toMatchObject({ next: first.last })
    const second = (await api('GET', `/events?limit=4&after=${first.next}`)).body
    expect([...first.events, ...second.events]).toEqual(all)
    expect(second.next).toBeNull()
    expect((await api('GET', `/events?after=${second.last}`)).body).toEqual({
      result: 200,
      events: [],
      next: null,
      last: second.last,
    })
  })

  it('EVENTS-2 come after a stored position also if a backup of an earlier time was restored', async () => {
    await aCall(await room())
    await events(6)
    const { last } = (await api('GET', '/events')).body
    const { clientId } = partner.account
    await calls.db.deleteFrom('partner_events').where('client_id', '=', clientId).execute()
    await calls.db.deleteFrom('partner_sequences').where('client_id', '=', clientId).execute()
    server.advance(60_000)
    await aCall(await room('restored'))
    await events(6)
    expect((await api('GET', `/events?after=${last}`)).body.events).toHaveLength(6)
  })

  it('EVENTS-2 have positions that requests may have, however wrong the clock is', () => {
    expect(positionAt(Date.UTC(2100))).toBeLessThan(POSITION_MAX)
    expect(positionAt(0)).toBe(1)
  })

  it('EVENTS-2 are read in pages of bounded size, each with at least one', async () => {
    const clientId = 999_008
    const body = 'é'.repeat(50)
    const event = { client_id: clientId, tag: 'large', type: 'room.started', body, created_at_ms: Date.now() }
    const values = [1, 2, 3, 4].map(position => ({
      ...event,
      ...{ position, id: `evt_large_${position}`, subject: `${position}` },
    }))
    await calls.db.insertInto('partner_events').values(values).execute()
    const store = partnerEventStore(calls.db)
    const read = async (after: number, limit: number, bytes: number, order?: 'desc') => {
      const page = await store.list(clientId, {}, { after, limit, ...(order && { order }) }, bytes)
      return [page.events.map(({ position }) => position), page.hasMore]
    }
    expect(await read(0, 10, 299)).toEqual([[1, 2], true])
    expect(await read(2, 10, 200)).toEqual([[3, 4], false])
    expect(await read(0, 10, 1)).toEqual([[1], true])
    expect(await read(3, 10, 1)).toEqual([[4], false])
    expect(await read(9, 2, 300, 'desc')).toEqual([[4, 3], true])
    expect(await read(4, 10, 300)).toEqual([[], false])
  })

  it('EVENTS-3 of recordings and transcripts name the room; a repeated note is one event', async () => {
    const tag = await room()
    await archive.addRecording(tag, `job_${partner.account.name}`)
    const note = { tag, type: 'recording.started', subject: 'job:job_1', at_ms: 1, data: '{}' }
    await calls.db.insertInto('partner_outbox').values([note, note]).execute()
    const found = await events(2)
    expect(found.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['recording.ready', 1],
      ['recording.started', 2],
    ])
    expect(found[0]?.data).toMatchObject({ recording: { room: 'lesson', duration_ms: 20_333 } })
    const usage = (await api('GET', `/usage?month=${new Date().toISOString().slice(0, 7)}`)).body
    expect(usage).toMatchObject({ recorded_minutes: 0.34, participant_minutes: 0 })
  })

  it('EVENTS-3 of one subject differ by their types', async () => {
    const tag = await room()
    const note = { tag, subject: 'job:job_2', at_ms: 1, data: '{}' }
    const types = ['recording.started', 'recording.failed'] as const
    await calls.db
      .insertInto('partner_outbox')
      .values(types.map(type => ({ ...note, type })))
      .execute()
    expect((await events(2)).map(({ type }) => type)).toEqual(types)
  })

  it('EVENTS-3 of recordings that failed say whether there was nothing to record', async () => {
    const tag = await room()
    const ids = [1, 2].map(each => `job_failed_${rooms}_${each}`)
    const job = {
      kind: 'recording',
      scope: 'manual',
      state: 'leased',
      stop_requested: 0,
      attempts: 1,
    } as const
    for (const [index, id] of ids.entries())
      await calls.db
        .insertInto('jobs')
        .values({
          ...{ ...job, id, conference_tag: tag, conference_session_id: 1_000_000 + 10 * rooms + index },
          ...{
            active: 0,
            session_incarnation: 0,
            params: '{}',
            details: '{}',
            created_at_ms: 1,
            updated_at_ms: 1,
          },
        })
        .execute()
    for (const [index, reason] of ['nothing_captured', 'too_many_attempts'].entries())
      await calls.db
        .updateTable('jobs')
        .set({ state: 'failed', result: JSON.stringify({ reason }), updated_at_ms: 2 + index })
        .where('id', '=', ids[index] as string)
        .execute()
    expect((await events(2)).map(({ type, data }) => [type, data])).toEqual([
      [
        'recording.failed',
        { recording: { id: ids[0], session_id: expect.any(Number), reason: 'nothing_captured' } },
      ],
      ['recording.failed', { recording: { id: ids[1], session_id: expect.any(Number), reason: 'failed' } }],
    ])
  })

  it('EVENTS-3 of somebody who waits come once a minute', async () => {
    const tag = await room()
    const guest = { userId: 999_001, displayName: 'Guest', role: 'participant' } as const
    for (const atMs of [60_000, 60_001, 119_999, 120_000]) await calls.attendance.waiting(tag, guest, atMs)
    await calls.attendance.waiting(tag, { ...guest, userId: 999_002 }, 60_000)
    const found = await events(3)
    expect(found.map(({ type, sequence }) => [type, sequence])).toEqual([
      ...[1, 2, 3].map(sequence => ['participant.waiting', sequence]),
    ])
  })

  it('EVENTS-3 come also while more of them cannot be described than are read at once', async () => {
    const tag = await room()
    await archive.addRecording(tag, `job_odd_${rooms}`, { startedAtMs: 9e15, endedAtMs: 9e15 })
    const odd = { tag, type: 'recording.ready', subject: `job:job_odd_${rooms}`, at_ms: 1, data: '{}' }
    await calls.db.insertInto('partner_outbox').values(Array(100).fill(odd)).execute()
    const note = { tag, type: 'recording.started', subject: 'job:fine', at_ms: 1, data: '{}' }
    await calls.db.insertInto('partner_outbox').values(note).execute()
    expect((await events(1)).map(({ type }) => type)).toEqual(['recording.started'])
    const times = { started_at_ms: 1_000, ended_at_ms: 2_000 }
    await calls.db.updateTable('recordings').set(times).where('conference_tag', '=', tag).execute()
    server.advance(RETRIED_AFTER_MS)
    expect((await events(2)).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['recording.started', 1],
      ['recording.ready', 2],
    ])
  })

  it('EVENTS-4 say that people were lost whom a killed server had inside', async () => {
    const tag = await room()
    const lease = await calls.start(tag)
    const stays = await calls.join(lease, 1, 'Anna')
    await calls.join(lease, 2, 'Ben')
    await calls.attendance.restored(lease.sessionId, [stays], Date.now())
    const found = await events(4)
    expect(found[3]).toMatchObject({ type: 'participant.left', data: { participant: { reason: 'lost' } } })
    await calls.end(lease)
    expect((await events(6)).at(-1)?.type).toBe('room.ended')
  })

  it('EVENTS-4 let nobody join a session that ends meanwhile, who would never leave it', async () => {
    const lease = await calls.start(await room())
    let joining: Promise<unknown> = Promise.resolve()
    await inTransaction(calls.db, async store => {
      await sessionStore(store).end(lease, Date.now(), 'empty')
      joining = calls.join(lease, 1, 'Anna')
      // PostgreSQL has another connection for it; SQLite has none.
      if (usesPostgres()) await Promise.race([joining, until(async () => expect(await waiting()).toBe(1))])
    })
    await joining
    expect((await events(2)).map(({ type }) => type)).toEqual(['room.started', 'room.ended'])

    async function waiting() {
      const { rows } = await sql`SELECT 1 FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query LIKE 'insert into "partner_attendance"%'`.execute(calls.db)
      return rows.length
    }
  })

  it('say of nobody that they left before they came, although the clock was set back', async () => {
    const lease = await calls.start(await room())
    await calls.leave(await calls.join(lease, 1, 'Anna', 1_060_000), 1_000_000)
    await calls.join(lease, 2, 'Ben', 1_070_000)
    await calls.attendance.restored(lease.sessionId, [], 1_000_000)
    const found = (await events(5)).filter(({ type }) => type === 'participant.left')
    const times = ({ data }: HostedEvent) => (data as { participant: AttendanceEntry }).participant
    expect(found.map(times).map(({ joined_at, left_at }) => joined_at === left_at)).toEqual([true, true])
  })
})

it('what was said is not stored again as an event, if it is removed while the event is made', async () => {
  const tag = await room('removed')
  const note = { tag, type: 'transcription.ready', subject: 'job:gone', at_ms: 1, data: '{}' } as const
  const store = partnerEventStore(calls.db)
  const made = { occurrenceId: -7, clientId: partner.account.clientId, ...note, atMs: 1 }
  const content = { type: note.type, created_at: '', room: {}, data: { transcription: { text: 'Secret' } } }
  await calls.db
    .insertInto('partner_outbox')
    .values({ ...note, id: -7 } as never)
    .execute()
  const usage = { participantMs: 0, recordedMs: 0 }
  expect(await store.publish([{ ...made, content, usage }], [], Date.now())).toBe(0)
  expect((await api('GET', '/events')).body.events).toEqual([])
})

it('events and their deliveries are removed a few at a time, the oldest first', async () => {
  const store = partnerEventStore(calls.db)
  const ids = Array.from({ length: 5 }, (_, i) => `evt_old_${i}`)
  const old = (id: string, i: number) => ({ id, tag: 'old', type: 'x', subject: id, created_at_ms: i + 1 })
  await calls.db
    .insertInto('partner_events')
    .values(ids.map((id, i) => ({ ...old(id, i), client_id: 999_007, position: i + 1, body: '{}' })))
    .execute()
  const delivery = { endpoint_id: 'end_old', type: 'x', attempts: 1, created_at_ms: 1 }
  await calls.db
    .insertInto('partner_deliveries')
    .values(ids.map(id => ({ ...delivery, id: `dlv_${id}`, event_id: id, status: 'pending' })))
    .execute()
  const left = async () =>
    (await store.list(999_007, {}, { after: 0, limit: 10 })).events.map(({ position }) => position)
  expect(await store.prune(5, 2)).toBe(true)
  expect(await left()).toEqual([3, 4, 5])
  expect(await store.prune(5, 2)).toBe(true)
  expect(await store.prune(5, 2)).toBe(false)
  expect(await left()).toEqual([5])
  const found = calls.db.selectFrom('partner_deliveries').where('endpoint_id', '=', 'end_old').select('id')
  expect(await found.execute()).toEqual([])
})

describe('endpoints', () => {
  const add = async (body: object = {}) =>
    (await api('POST', '/endpoints', { body: { url: receiver.url, ...body } })).body
  const received = async (count: number) => {
    await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count))
    return receiver.received
  }

  it('EVENTS-5 get the events that they want, each once, signed as Standard Webhooks and as version 1', async () => {
    const { id, secret } = await add({ events: ['room.started'] })
    const second = await add({ secret: 'a secret of my own choice', events: ['room.ended'] })
    expect(second.secret).toBe('a secret of my own choice')
    await aCall(await room())
    const found = await events(6)
    const [first, other] = (await received(2)).sort((a, b) => a.body.length - b.body.length)
    expect([first?.body, other?.body].map(body => JSON.parse(body ?? ''))).toEqual([found[0], found[5]])
    const { headers = {}, body = '' } = first ?? {}
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
    expect(headers['webhook-id']).toBe(found[0]?.id)
    expect(headers['x-service-delivery']).toBe(found[0]?.id)
    expect(headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
    await until(async () => {
      const { body } = await api('GET', `/endpoints/${id}/deliveries?status=delivered`)
      expect(body.deliveries).toMatchObject([{ event_id: found[0]?.id, type: 'room.started', attempts: 1 }])
    })
    const { deliveries } = (await api('GET', `/endpoints/${id}/deliveries`)).body
    const details = await api('GET', `/endpoints/${id}/deliveries/${deliveries[0].id}`)
    expect(details.body).toMatchObject({ payload: found[0], history: [{ response_status: 204 }] })
    expect(receiver.received).toHaveLength(2)
    const counted = async () =>
      (await api('GET', `/usage?month=${new Date().toISOString().slice(0, 7)}`)).body.webhooks
    expect(await counted()).toBe(2)
    const test = (await api('POST', `/endpoints/${id}/test`)).body.id
    await until(async () => {
      const { body } = await api('GET', `/endpoints/${id}/deliveries?status=delivered`)
      expect(body.deliveries.map((each: { id: string }) => each.id)).toContain(test)
    })
    expect(await counted()).toBe(2) // tests do not count as usage
  })

  it('EVENTS-5 have no secret that receivers would decode to a short or empty key', async () => {
    const { id } = await add()
    const short = `whsec_${Buffer.alloc(23).toString('base64')}`
    for (const secret of ['whsec_~~~~~~~~~~~~~~~~', 'whsec_not base64 at all, but long enough', short]) {
      const body = { url: receiver.url, secret }
      expect(await api('POST', '/endpoints', { body })).toEqual(refused(400, 'invalid_argument'))
      expect(await api('POST', `/endpoints/${id}/rotate`, { body: { secret } })).toEqual(
        refused(400, 'invalid_argument'),
      )
    }
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    expect(await add({ secret })).toMatchObject({ secret })
  })

  it('EVENTS-6 are tried again, replayed one by one and all together', async () => {
    const { id } = await add({ events: ['room.started'] })
    receiver.answer = status(400)
    await calls.start(await room())
    await received(1)
    const list = async () => (await api('GET', `/endpoints/${id}/deliveries`)).body.deliveries
    await until(async () => expect((await list())[0]).toMatchObject({ attempts: 1, status: 'pending' }))
    receiver.answer = status(204)
    const [delivery] = await list()
    expect((await api('POST', `/endpoints/${id}/deliveries/${delivery.id}/replay`)).status).toBe(200)
    await until(async () => expect((await list())[0].status).toBe('delivered'))
    await calls.db
      .updateTable('partner_deliveries')
      .set({ status: 'failed' })
      .where('endpoint_id', '=', id)
      .execute()
    const replay = (since: string) => api('POST', `/endpoints/${id}/replay`, { body: { since } })
    expect((await replay('2100-01-01T00:00:00Z')).body.replayed).toBe(0)
    expect((await replay('2020-01-01T00:00:00Z')).body.replayed).toBe(1)
    await until(async () => expect((await list())[0].status).toBe('delivered'))
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
  })

  it('EVENTS-7 are disabled after five days of failures, which the operator sees; events stay listed', async () => {
    const { id } = await add({ events: ['room.started'] })
    receiver.answer = status(500)
    await calls.db
      .updateTable('partner_endpoints')
      .set({ failing_since_ms: Date.now() - 5 * DAY_MS, last_failure_at_ms: Date.now() - DAY_MS / 2 })
      .where('id', '=', id)
      .execute()
    await calls.start(await room())
    await until(async () =>
      expect((await api('GET', `/endpoints/${id}`)).body).toMatchObject({
        enabled: false,
        disabled_reason: 'failing',
      }),
    )
    const audited = () =>
      calls.db.selectFrom('audit_log').select('target').where('action', '=', 'endpoint.disable').execute()
    await until(async () => expect(await audited()).toContainEqual({ target: id }))
    expect(await events(1)).toHaveLength(1)
    expect(await api('POST', `/endpoints/${id}/test`)).toEqual(refused(409, 'endpoint_disabled'))
    const enabled = await api('PATCH', `/endpoints/${id}`, { body: { enabled: true } })
    expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null })
    expect(
      (await api('POST', `/endpoints/${id}/replay`, { body: { since: '2020-01-01T00:00:00Z' } })).body
        .replayed,
    ).toBe(1)
  })

  it('EVENTS-7 are not disabled by the first failure after a pause, which is no failure', async () => {
    const { id } = await add({ events: ['room.started'] })
    receiver.answer = status(500)
    const failures = (days: { since: number; last: number }) =>
      calls.db
        .updateTable('partner_endpoints')
        .set({
          failing_since_ms: Date.now() - days.since * DAY_MS,
          last_failure_at_ms: Date.now() - days.last * DAY_MS,
        })
        .where('id', '=', id)
        .execute()
    await failures({ since: 14, last: 11 })
    await calls.start(await room('after-holidays'))
    await until(async () => expect(await since()).toBeGreaterThan(Date.now() - DAY_MS))
    expect((await api('GET', `/endpoints/${id}`)).body.enabled).toBe(true)

    async function since() {
      const row = await calls.db
        .selectFrom('partner_endpoints')
        .select('failing_since_ms')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return Number(row.failing_since_ms)
    }
  })

  it('EVENTS-7 count the failures of another url anew', async () => {
    const { id } = await add({ events: ['room.started'] })
    const since = () =>
      calls.db
        .selectFrom('partner_endpoints')
        .select('failing_since_ms')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    await calls.db
      .updateTable('partner_endpoints')
      .set({ failing_since_ms: 1 })
      .where('id', '=', id)
      .execute()
    await api('PATCH', `/endpoints/${id}`, { body: { description: 'Lessons' } })
    expect(await since()).toEqual({ failing_since_ms: 1 })
    await api('PATCH', `/endpoints/${id}`, { body: { url: `${receiver.url}/new` } })
    expect(await since()).toEqual({ failing_since_ms: null })
  })

  it('EVENTS-8 sign with another secret alone that was given without an overlap, as when one has leaked', async () => {
    const { id } = await add()
    await api('POST', `/endpoints/${id}/rotate`)
    const secret = 'another secret of some length'
    const change = (body: object) => api('PATCH', `/endpoints/${id}`, { body })
    expect(await change({ secret: 'whsec_short-and-not-base64' })).toEqual(refused(400, 'invalid_argument'))
    const { body } = await change({ secret })
    expect(body).toMatchObject({ id, previous_secret_expires_at: null })
    expect(JSON.stringify(body)).not.toContain(secret)
    await api('POST', `/endpoints/${id}/test`)
    const [test] = await received(1)
    const signed = `${test?.headers['webhook-id']}.${test?.headers['webhook-timestamp']}.${test?.body}`
    const signature = createHmac('sha256', secret).update(signed).digest('base64')
    expect(test?.headers['webhook-signature']).toBe(`v1,${signature}`)
    await api('DELETE', `/endpoints/${id}`)
  })

  it('EVENTS-5 get many events at once, however many endpoints a technical user has', async () => {
    const tag = await room()
    const { name, clientId } = partner.account
    const store = endpointStore(calls.db)
    const nowhere = { url: 'http://127.0.0.1:9/', secret: 'a secret of some length' }
    const endpoint = { serviceAccount: name, clientId, ...nowhere }
    const usual = { enabled: true, description: null, failingSinceMs: null, disabledReason: null }
    for (let i = 0; i < 80; i++) {
      const added = { ...endpoint, ...usual, id: `end_${name}_${i}`, events: ['recording.started' as const] }
      await store.add({ ...added, createdAtMs: i }, 100)
    }
    const notes = Array.from({ length: 100 }, (_, i) => ({
      tag,
      subject: `job:many_${i}`,
      at_ms: 1,
      data: '{}',
    }))
    await calls.db
      .insertInto('partner_outbox')
      .values(notes.map(note => ({ ...note, type: 'recording.started' })))
      .execute()
    expect(await events(100)).toHaveLength(100)
    const { count } = await calls.db
      .selectFrom('partner_deliveries')
      .innerJoin('partner_endpoints', 'partner_endpoints.id', 'partner_deliveries.endpoint_id')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('service_account', '=', name)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(8_000)
    await store.removeAll(name)
  })

  it('EVENTS-8 sign with both secrets while one is being replaced, and send tests', async () => {
    const { id, secret } = await add()
    const rotated = (await api('POST', `/endpoints/${id}/rotate`)).body
    expect(rotated.secret).not.toBe(secret)
    expect(await api('POST', `/endpoints/${id}/rotate`)).toEqual(refused(409, 'rotation_in_progress'))
    expect((await api('POST', `/endpoints/${id}/test`)).body.type).toBe('webhook.test')
    const [test] = await received(1)
    expect(String(test?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    const sent = JSON.parse(test?.body ?? '')
    expect(sent).toMatchObject({ type: 'webhook.test', data: { endpoint_id: id } })
    const ajv = new Ajv({ strict: false, validateFormats: false })
    expect(ajv.validate(EndpointTestEvent, sent) || ajv.errorsText()).toBe(true)
    expect((await api('GET', '/events')).body.events).toEqual([])
    expect((await api('GET', '/endpoints')).body.endpoints).toHaveLength(1)
    expect((await api('DELETE', `/endpoints/${id}`)).status).toBe(200)
    expect(await api('GET', `/endpoints/${id}`)).toEqual(refused(404, 'endpoint_not_found'))
  })
})

import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { userStore } from '../../../accounts/stores/users.ts'
import { pushDeliveryStore } from '../../../messaging/stores/push-deliveries.ts'
import { administrationLists } from '../../../operations/stores/administration.ts'
import { auditStore } from '../../../operations/stores/audit.ts'
import { partnerLists } from '../../../partners/stores/administration.ts'
import { deliveryStore } from '../../../partners/stores/deliveries.ts'
import { roomStore } from '../../../partners/stores/rooms.ts'
import { endpointDeliveryStore } from '../../../partners/stores/v2/deliveries.ts'
import { partnerEventStore } from '../../../partners/stores/v2/events.ts'
import type { Page, TimePage } from '../../paging.ts'
import { isPostgres } from '../dialect.ts'
import type { IntegrationSchema, MainSchema } from '../schema.ts'
import { rowsReadBy, stepsOf, watched } from './query-plans.ts'
import type { TestStores } from './test-stores.ts'

const ROWS = 10_000
const LIMIT = 51
/** The filters to which nearly all rows belong. */
const MOST_ROWS = ['active users', 'own rooms']
/** One row in so many has the rare value of a filter. */
const RARE_ONE_IN = 100
/** The rows of a filter's index that a page may read although they do not belong to it. */
const ROWS_READ_MAX = 10 * LIMIT

/** A number `n` from 1, with as many rows as asked for. */
const numbers = (db: Kysely<never>) =>
  isPostgres(db)
    ? sql`generate_series(1, ${sql.lit(ROWS)}) as numbers(n)`
    : sql`(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${sql.lit(ROWS)}) SELECT n FROM c) AS numbers`

const oneIn = (rare: string, common: string) =>
  sql`CASE WHEN n % ${sql.lit(RARE_ONE_IN)} = 0 THEN ${sql.lit(rare)} ELSE ${sql.lit(common)} END`
/** Ten rows of each time, whose order their ids decide. */
const TIME = sql`n / 10`
const KEY = sql`'key-' || n`

async function fill<Schema>(db: Kysely<Schema>, table: string, columns: Record<string, unknown>) {
  const names = sql.join(Object.keys(columns).map(name => sql.ref(name)))
  const values = sql.join(
    Object.values(columns).map(value =>
      typeof value === 'string' || typeof value === 'number' ? sql.lit(value) : value,
    ),
  )
  await sql`INSERT INTO ${sql.table(table)} (${names}) SELECT ${values} FROM ${numbers(db as never)}`.execute(
    db,
  )
}

async function fillMain(db: Kysely<MainSchema>) {
  await fill(db, 'users', {
    login: sql`'user-' || n`,
    display_name: '',
    kind: oneIn('technical', 'ordinary'),
    capabilities: '[]',
    created_at: 1,
    disabled_at: sql`CASE WHEN n % 100 = 0 THEN 1 END`,
    deleted_at: sql`CASE WHEN n % 100 = 1 THEN 1 END`,
  })
  await fill(db, 'audit_log', {
    at_ms: TIME,
    actor_kind: 'user',
    actor: 'boss',
    action: oneIn('room.close', 'user.change'),
    target: KEY,
    details: '{}',
    outcome: oneIn('refused', 'done'),
  })
  await fill(db, 'jobs', {
    id: KEY,
    kind: oneIn('transcription', 'recording'),
    scope: 'manual',
    state: oneIn('failed', 'done'),
    conference_session_id: sql`n`,
    conference_tag: oneIn('rare', 'tag'),
    params: '{}',
    attempts: 1,
    stop_requested: 0,
    active: 0,
    details: '{}',
    lease_until_ms: 0,
    created_at_ms: TIME,
    updated_at_ms: TIME,
  })
  const record = {
    job_id: KEY,
    conference_tag: oneIn('rare', 'tag'),
    conference_session_id: 1,
    status: 'completed',
  }
  await fill(db, 'recordings', {
    ...record,
    profile: '',
    started_at_ms: 1,
    ended_at_ms: 1,
    duration_ms: 1,
    output_dir: '',
    files: '[]',
    artifact: '{}',
    indexed_at: 1,
  })
  await fill(db, 'transcripts', {
    ...record,
    language: 'en',
    engine: '',
    started_at_ms: 1,
    ended_at_ms: 1,
    reason: '',
    text: '',
    segments: '[]',
    indexed_at: 1,
  })
  await fill(db, 'push_deliveries', {
    id: KEY,
    client_id: sql`n`,
    endpoint: '',
    target: KEY,
    topic: '',
    type: 'message',
    payload: '{}',
    priority: 1,
    state: oneIn('pending', 'delivered'),
    attempts: 0,
    next_attempt_at_ms: TIME,
    expires_at_ms: 1,
    created_at_ms: TIME,
  })
  await sql`ANALYZE`.execute(db)
}

async function fillEvents(db: Kysely<MainSchema>) {
  await fill(db, 'partner_events', {
    client_id: 1,
    position: sql`n`,
    id: KEY,
    tag: oneIn('rare', 'tag'),
    type: oneIn('room.deleted', 'room.started'),
    subject: KEY,
    body: '{}',
    created_at_ms: TIME,
  })
  await fill(db, 'partner_deliveries', {
    id: KEY,
    endpoint_id: 'endpoint',
    event_id: KEY,
    type: '',
    status: oneIn('failed', 'delivered'),
    attempts: 1,
    created_at_ms: TIME,
  })
  // SQLite has no statistics of a store that grows.
  if (isPostgres(db)) await sql`ANALYZE`.execute(db)
}

async function fillPartners(db: Kysely<IntegrationSchema>) {
  await fill(db, 'service_accounts', {
    name: KEY,
    client_id: sql`n`,
    secret_hash: '',
    scopes: '[]',
    created_at: 1,
  })
  await fill(db, 'rooms', {
    client_id: 1,
    external_id: KEY,
    tag: KEY,
    title: '',
    status: oneIn('closed', 'scheduled'),
    teacher_name: '',
    teacher_external_id: oneIn('rare', 'often'),
    student_external_id: oneIn('rare', 'often'),
    teacher_link_version: 1,
    teacher_link_name: '',
    student_name: '',
    student_link_version: 1,
    student_link_name: '',
    revision: 1,
    created_at: 1,
    updated_at: 1,
  })
  await fill(db, 'webhook_deliveries', {
    id: KEY,
    service_account: 'school',
    event: '',
    subject: KEY,
    body: '',
    status: oneIn('failed', 'delivered'),
    attempts: 1,
    created_at: TIME,
    updated_at: TIME,
  })
  await sql`ANALYZE`.execute(db)
}

/**
 * Asserts that the query reads about as many rows as it returns, and sorts none but those with equal times. `filter`: what SQLite MUST look
 * up in an index, such as `tag=?`.
 */
async function assertBounded<Schema>(
  db: Kysely<Schema>,
  query: CompiledQuery,
  name: string,
  filter = '',
): Promise<void> {
  if (!isPostgres(db)) {
    const plan = await stepsOf(db, query)
    expect(plan, name).toContain(filter)
    expect(plan, name).not.toMatch(/TEMP B-TREE/)
    // If most rows belong to the list, it is read in its order up to the limit.
    const isRare = query.sql.includes(' where ') && !MOST_ROWS.includes(name)
    if (isRare) expect(plan, name).toMatch(/^(SEARCH|SCAN \w+ USING INDEX) [^;]+$/)
    else expect(plan, name).toMatch(/^(SEARCH|SCAN) [^;]+$/)
    return
  }
  const { count, plan } = await rowsReadBy(db, query)
  expect(count, `${name}: ${plan}`).toBeLessThanOrEqual(ROWS_READ_MAX)
}

/** Pages of every list of administrators, with each of its filters, of large tables. */
export function describeLargeLists({ main, integration }: TestStores): void {
  const ids = [{ limit: LIMIT }, { limit: LIMIT, before: 5_000 }] satisfies Page[]
  const times = [{ limit: LIMIT }, { limit: LIMIT, before: { at: 500, id: 'key-5004' } }] satisfies TimePage[]

  it('read no more of 10,000 rows than a page has, whatever the filter', async () => {
    const db = await main()
    await fillMain(db)
    const spy = watched(db)
    const check = async (name: string, rows: Promise<unknown[]>) => {
      expect((await rows).length, name).toBeGreaterThan(0)
      await assertBounded(db, spy.lastQuery(), name)
    }
    const lists = administrationLists(spy.db)
    for (const page of ids) {
      const users = userStore(spy.db)
      await check('users', users.page({}, page))
      await check('users of a kind', users.page({ kind: 'technical' }, page))
      for (const state of ['active', 'disabled', 'deleted'] as const)
        await check(`${state} users`, users.page({ state }, page))
      const audit = auditStore(spy.db)
      await check('audit log', audit.list({}, page))
      await check('actions', audit.list({ action: 'room.close' }, page))
      await check('refused actions', audit.list({ outcome: 'refused' }, page))
      await check('recordings', lists.recordings({}, page))
      await check('recordings of a conference', lists.recordings({ conferenceTags: ['rare'] }, page))
      await check('transcripts', lists.transcripts({}, page))
      await check('transcripts of a conference', lists.transcripts({ conferenceTags: ['rare'] }, page))
    }
    for (const page of times) {
      await check('jobs', lists.jobs({}, page))
      await check('jobs of a kind', lists.jobs({ kind: 'transcription' }, page))
      await check('jobs in a state', lists.jobs({ state: 'failed' }, page))
      await check('jobs of a conference', lists.jobs({ conferenceTags: ['rare'] }, page))
    }
    await check('push queue', pushDeliveryStore(spy.db).list(LIMIT))
  })

  it('read no more of 10,000 events and deliveries than a page has, whatever the filter', async () => {
    const db = await main()
    await fillEvents(db)
    const spy = watched(db)
    const deliveries = endpointDeliveryStore(spy.db)
    const events = partnerEventStore(spy.db)
    const check = async (name: string, filter: string, rows: Promise<unknown[]>) => {
      expect((await rows).length, name).toBeGreaterThan(0)
      await assertBounded(db, spy.lastQuery(), name, filter)
    }
    const checkEvents = async (name: string, filter: string, list: ReturnType<typeof events.list>) => {
      expect((await list).events.length, name).toBeGreaterThan(0)
      const [positions] = spy.queries().slice(-2) // and their bodies
      await assertBounded(db, positions as CompiledQuery, name, filter)
    }
    const rare = { tag: 'rare', type: 'room.deleted' } as const
    for (const order of ['asc', 'desc'] as const) {
      const page = { after: 5_000, limit: LIMIT, order }
      await check('deliveries', 'endpoint_id=?', deliveries.list('endpoint', undefined, page))
      await check('failed deliveries', 'status=?', deliveries.list('endpoint', 'failed', page))
      await checkEvents('events', 'client_id=?', events.list(1, {}, page))
      await checkEvents('events of a type', 'type=?', events.list(1, { type: rare.type }, page))
      await checkEvents('events of a room', 'tag=?', events.list(1, { tag: rare.tag }, page))
      await checkEvents('events of a type in a room', 'tag=?', events.list(1, rare, page))
    }
  })

  it('read no more of 10,000 rows of partners than a page has, whatever the filter', async () => {
    const db = await integration()
    await fillPartners(db)
    const spy = watched(db)
    const check = async (name: string, rows: Promise<unknown[]>) => {
      expect((await rows).length, name).toBeGreaterThan(0)
      await assertBounded(db, spy.lastQuery(), name)
    }
    const lists = partnerLists(spy.db)
    for (const page of ids) {
      await check('rooms', lists.rooms({}, page))
      await check('rooms with a status', lists.rooms({ status: 'closed' }, page))
    }
    const rooms = roomStore(spy.db)
    for (const page of ids) {
      await check('own rooms', rooms.list(1, {}, page))
      await check('own rooms with a status', rooms.list(1, { status: 'closed' }, page))
      await check('rooms of a teacher', rooms.list(1, { teacher: 'rare' }, page))
      await check('rooms of a student', rooms.list(1, { student: 'rare' }, page))
    }
    const deliveries = deliveryStore(spy.db)
    for (const page of times) {
      await check('own deliveries', deliveries.page('school', {}, page))
      await check('own deliveries with a status', deliveries.page('school', { status: 'failed' }, page))
      await check('deliveries', lists.deliveries({}, page))
      await check('deliveries with a status', lists.deliveries({ status: 'failed' }, page))
    }
    for (const page of [{ limit: LIMIT }, { limit: LIMIT, after: 'key-5' }])
      await check('service accounts', lists.serviceAccounts({}, page))

    const names: string[] = []
    for (let after: string | undefined; ; after = names.at(-1)) {
      const page = await lists.serviceAccounts({}, { limit: 200, after })
      if (page.length === 0) break
      names.push(...page.map(({ name }) => name))
    }
    expect([names.length, new Set(names).size]).toEqual([ROWS, ROWS])
    const found: string[] = []
    for (let before: TimePage['before']; ; ) {
      const page = await lists.deliveries({}, { limit: 200, before })
      const last = page.at(-1)
      if (!last) break
      found.push(...page.map(({ id }) => id))
      before = { at: last.createdAt, id: last.id }
    }
    expect([found.length, new Set(found).size]).toEqual([ROWS, ROWS])
  })
  it('read what is due from each target, however much the others have', async () => {
    const db = await main()
    await fill(db, 'partner_endpoints', {
      id: KEY,
      service_account: KEY,
      client_id: sql`n`,
      ...{ url: '', secret: '', events: '[]', enabled: 1, created_at_ms: 1 },
    })
    await fill(db, 'partner_deliveries', {
      id: KEY,
      endpoint_id: sql`'key-' || (1 + n % 100)`,
      event_id: KEY,
      ...{ type: '', status: 'pending', attempts: 0, next_attempt_at_ms: TIME, created_at_ms: TIME },
    })
    const spy = watched(db)
    const limits = { all: 256, each: 2, except: ['key-1'] }
    expect(await endpointDeliveryStore(spy.db).due(ROWS, limits)).toHaveLength(198)
    if (isPostgres(db)) {
      await sql`ANALYZE`.execute(db)
      const { count, plan } = await rowsReadBy(db, spy.lastQuery())
      expect(count, plan).toBeLessThanOrEqual(2 * ROWS)
    } else expect(await stepsOf(db, spy.lastQuery())).not.toMatch(/SCAN (delivery|next)/)
  })
}

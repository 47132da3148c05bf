import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Accounts } from '../../packages/server/src/accounts/accounts.ts'
import { userStore } from '../../packages/server/src/accounts/stores/users.ts'
import { participantStore } from '../../packages/server/src/partners/stores/participants.ts'
import { roomStore } from '../../packages/server/src/partners/stores/rooms.ts'
import { serviceAccountStore } from '../../packages/server/src/partners/stores/service-accounts.ts'
import { roomDeletionStore } from '../../packages/server/src/partners/stores/v2/deletions.ts'
import { endpointDeliveryStore } from '../../packages/server/src/partners/stores/v2/deliveries.ts'
import { endpointStore } from '../../packages/server/src/partners/stores/v2/endpoints.ts'
import { partnerEventStore } from '../../packages/server/src/partners/stores/v2/events.ts'
import { partnerFacts } from '../../packages/server/src/partners/stores/v2/facts.ts'
import { peopleStore } from '../../packages/server/src/partners/stores/v2/people.ts'
import { endpointAttempts } from '../../packages/server/src/partners/v2/events/attempt.ts'
import { KnownPeople } from '../../packages/server/src/partners/v2/events/known-people.ts'
import { EventPublisher } from '../../packages/server/src/partners/v2/events/publisher.ts'
import { usableEndpoints } from '../../packages/server/src/partners/v2/events/usable-endpoints.ts'
import { isPostgres } from '../../packages/server/src/platform/db/dialect.ts'
import { openIntegrationStore, openMainStore } from '../../packages/server/src/platform/db/open.ts'
import { ConcurrencyLimiter } from '../../packages/server/src/platform/delivery/concurrency-limiter.ts'
import { createPost } from '../../packages/server/src/platform/delivery/guarded-post.ts'
import { DeliveryQueue } from '../../packages/server/src/platform/delivery/queue.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { serveTasks } from '../support/tasks.ts'

// Publisher and delivery queue of the server with their databases on disk, composed as in the service. Every account has a
// room with an open session, and an endpoint.

const STEP_MS = 20
const DAY_MS = 86_400_000
const FILLED_AT_ONCE = 25_000
/** As in the publisher. */
const PRUNED_AT_ONCE = 500
const ROWS_AT_ONCE = 100

const startedAtMs = Date.now()
const joinedAt = '2026-01-01T00:00:00.000Z'
/** The body of an event. */
const EVENT = JSON.stringify({
  id: 'evt_0123456789abcdef0123456789abcdef',
  type: 'participant.joined',
  created_at: joinedAt,
  sequence: 12,
  room: { external_id: 'lesson', tag: '0123456789abcdef0123456789abcdef', metadata: {} },
  data: {
    session_id: 1,
    participant: {
      ...{ participant_id: '1.1.7', external_id: 'student-9', display_name: 'Ben Baker', role: 'student' },
      ...{ metadata: {}, joined_at: joinedAt, left_at: null, reason: null },
    },
  },
})

const log = createLog('error')
const neverFailed = { failingSinceMs: null, disabledReason: null }
const person = { displayName: '', externalId: null, link: { version: 1, name: '' } }
const room = {
  ...{ title: '', description: null, startsAt: null, endsAt: null },
  status: 'scheduled' as const,
  board: 'keep' as const,
  settings: {},
  people: { teacher: person, student: person },
}

let main: Awaited<ReturnType<typeof openMainStore>>
let publisher: EventPublisher
let queue: DeliveryQueue<{ id: string }>
let isStarted = false
let accounts = 0
let joined = 0

const tasks = {
  /** `mainLocation` and `integrationLocation` are files of SQLite, or an address of PostgreSQL. */
  async open(mainLocation: string, integrationLocation: string, url: string, count: number): Promise<void> {
    main = await openMainStore(mainLocation)
    const { db } = main
    const integration = await openIntegrationStore(integrationLocation)
    const [rooms, participants] = [roomStore(integration.db), participantStore(integration.db)]
    const [store, endpoints, people] = [
      endpointDeliveryStore(db),
      endpointStore(db),
      peopleStore(db, () => {}),
    ]
    const [users, serviceAccounts] = [userStore(db, () => {}), serviceAccountStore(integration.db)]
    const [post, clock] = [createPost({ allowInsecure: true }), Date.now]
    queue = new DeliveryQueue({
      kind: 'event',
      store,
      attempt: endpointAttempts({
        ...{ store, endpoints, post, clock, log },
        isUsable: usableEndpoints({ serviceAccounts, accounts: new Accounts(users, clock) }),
        onDisabled: () => {},
      }),
      ...{ clock, log },
      limiter: new ConcurrencyLimiter(),
    })
    publisher = new EventPublisher({
      events: partnerEventStore(db),
      facts: partnerFacts(db),
      rooms,
      deletions: roomDeletionStore(db),
      known: new KnownPeople({ participants, people }),
      // Storing and delivering are measured one after the other.
      queue: { wake: () => isStarted && queue.wake() },
      ...{ clock, log },
    })
    accounts = count
    for (let i = 0; i < count; i++) {
      const [name, secretHash] = [`school-${i}`, 'plain:a secret of some length']
      const program = { displayName: name, kind: 'technical' as const, capabilities: [], passwordHash: null }
      const user = await users.add({ login: name, ...program, createdAt: 1 })
      if (!user) throw new Error(`${name} exists`)
      const clientId = user.id
      await serviceAccounts.add({ name, clientId, secretHash, scopes: [], enabled: true, createdAt: 1 })
      await rooms.findOrAdd({ ...room, clientId, externalId: 'lesson', tag: `room-${i}` }, 1)
      const endpoint = { id: `end_${i}`, serviceAccount: name, clientId, url: `${url}/${i}` }
      const more = { secret: 'a secret of some length', enabled: true, description: null, createdAtMs: 1 }
      await endpoints.add({ ...endpoint, ...more, ...neverFailed, events: ['participant.joined'] }, 1)
    }
  },

  /** People join the rooms in turn, which the database notes in the same transactions. */
  note: async (count: number): Promise<void> => note(count, accounts),

  /** Stores events of so many days, of which the technical user `bench` has every second one and ten others the rest. */
  async fill(count: number, days: number): Promise<void> {
    const { id } = await main.db
      .selectFrom('users')
      .select('id')
      .where('login', '=', 'bench')
      .executeTakeFirstOrThrow()
    for (let first = 1; first <= count; first += FILLED_AT_ONCE)
      await fill(id, first, Math.min(count, first + FILLED_AT_ONCE - 1), count, (days * DAY_MS) / count)
    await sql`ANALYZE`.execute(main.db)
  },

  /** Removes what is older than so many days, as the server does. Returns how long each batch took. */
  async prune(days: number): Promise<number[]> {
    const times: number[] = []
    for (let isMore = true; isMore; ) {
      const begun = performance.now()
      isMore = await partnerEventStore(main.db).prune(startedAtMs - days * DAY_MS, PRUNED_AT_ONCE)
      times.push(performance.now() - begun)
      await setImmediate()
    }
    return times
  },

  /** Makes events of all notes. Returns how long that took. */
  async publish(): Promise<number> {
    const begun = performance.now()
    await publisher.poll()
    return performance.now() - begun
  },

  /** The least that stores events: each body is inserted durably, one after the other. Returns how long that took. */
  async insertBare(count: number): Promise<number> {
    await sql`CREATE TABLE IF NOT EXISTS bare (id TEXT PRIMARY KEY, body TEXT NOT NULL)`.execute(main.db)
    const { body } = await main.db
      .selectFrom('partner_events')
      .select('body')
      .limit(1)
      .executeTakeFirstOrThrow()
    const begun = performance.now()
    for (let i = 0; i < count; i++)
      await sql`INSERT INTO bare (id, body) VALUES (${randomUUID()}, ${body})`.execute(main.db)
    return performance.now() - begun
  },

  /** Starts to send. Returns the time. */
  async deliver(): Promise<number> {
    isStarted = true
    queue.start()
    return Date.now()
  },

  /** People join the first rooms, whose endpoints have much to receive then. */
  async backlog(first: number, each: number): Promise<void> {
    if (first > 0) await note(first * each, first)
    await publisher.poll()
  },

  /** People join the rooms in turn, so many a second. */
  async steady(perSecond: number, seconds: number): Promise<void> {
    const [begun, before] = [performance.now(), joined]
    for (let passed = 0; passed < seconds; passed = (performance.now() - begun) / 1000) {
      await note(Math.floor(passed * perSecond) - (joined - before), accounts)
      void publisher.poll()
      await sleep(STEP_MS)
    }
  },
}

export type EventTasks = typeof tasks

serveTasks(tasks)

async function fill(
  clientId: number,
  first: number,
  last: number,
  count: number,
  eachMs: number,
): Promise<void> {
  const columns = sql`client_id, position, id, tag, type, subject, body, created_at_ms`
  const values = sql`CASE WHEN i % 2 = 0 THEN ${sql.lit(clientId)} ELSE 1000000 + i % 10 END, i, 'evt_' || (1000000000000 + i),
    'room-' || (100000000 + i / 200), 'participant.joined', 'participant:' || i, ${sql.lit(EVENT)},
    ${sql.lit(startedAtMs)} - (${sql.lit(count)} - i) * 1.0 * ${sql.lit(eachMs)}`
  const [from, to] = [sql.lit(first), sql.lit(last)]
  await (isPostgres(main.db)
    ? sql`INSERT INTO partner_events (${columns}) SELECT ${values} FROM generate_series(${from}, ${to}) AS i`
    : sql`WITH RECURSIVE numbers(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM numbers WHERE i < ${to})
        INSERT INTO partner_events (${columns}) SELECT ${values} FROM numbers`
  ).execute(main.db)
}

async function note(count: number, rooms: number): Promise<void> {
  for (let left = count; left > 0; left -= ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(left, ROWS_AT_ONCE) }, () => {
      const i = joined++ % rooms
      const person = { participant_id: `participant-${joined}`, user_id: joined, display_name: 'Ben Baker' }
      return {
        ...{ ...person, session_id: i + 1, tag: `room-${i}`, joined_at_ms: Date.now() },
        role: 'participant' as const,
      }
    })
    await main.db.insertInto('partner_attendance').values(rows).execute()
  }
}

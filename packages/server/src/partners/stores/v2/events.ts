import { randomBytes } from 'node:crypto'
import { type PartnerEventType, POSITION_MAX } from '@lectern/protocol'
import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { AfterPage, NewEvent, Occurrence, StoredEvent } from '../../ports.ts'
import { fitting, PAGE_BYTES } from './page-bytes.ts'
import { addUsage } from './usage.ts'

export type PartnerEventStore = ReturnType<typeof partnerEventStore>

/**
 * Rows of one statement: databases take some ten thousand values, and a technical user may have endpoints of many
 * accounts.
 */
const ROWS_AT_ONCE = 1_000

/** The lock of transactions that publish events. Whoever removes what events refer to needs it. */
export const PUBLISHING = 'partner events'

/** Numbers the events of a technical user, beside those of its rooms. */
const ALL = ''

export function partnerEventStore(db: Kysely<MainSchema>) {
  return {
    /** Occurrences that wait to become events, the oldest first. */
    occurrences: async (limit: number, except: readonly number[] = []): Promise<Occurrence[]> => {
      const rows = await db
        .selectFrom('partner_outbox')
        .selectAll()
        .$if(except.length > 0, query => query.where('id', 'not in', except))
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(row => ({
        id: row.id,
        tag: row.tag,
        type: row.type as PartnerEventType,
        subject: row.subject,
        atMs: row.at_ms,
        data: JSON.parse(row.data) as Record<string, unknown>,
      }))
    },

    /**
     * Stores the events of occurrences, numbered without gaps, with a delivery for each endpoint that wants them, and forgets
     * the occurrences and those that are not events: in one transaction, so that each is published once, whoever else tries.
     */
    publish: (events: NewEvent[], dropped: number[], nowMs: number): Promise<number> =>
      inTransaction(db, store => publish(store, events, dropped, nowMs), [PUBLISHING]),

    /**
     * Events of a technical user, or of one of its rooms, in the order in which they were published: as many as fit into a page, but at
     * least one.
     */
    list: async (
      clientId: number,
      { type, tag }: { type?: PartnerEventType | undefined; tag?: string | undefined },
      { after, limit, order = 'asc' }: AfterPage,
      maxBytes = PAGE_BYTES,
    ): Promise<{ events: StoredEvent[]; hasMore: boolean }> => {
      const found = await db
        .selectFrom('partner_events')
        .select(['position', sql<number>`octet_length(body)`.as('bytes')])
        // One of both, for an index that has the order of the positions, too: a room belongs to one technical user.
        .$if(tag === undefined, query => query.where('client_id', '=', clientId))
        .$if(tag !== undefined, query => query.where('tag', '=', tag as string))
        .$if(type !== undefined, query => query.where('type', '=', type as string))
        .where('position', order === 'asc' ? '>' : '<', after)
        .orderBy('position', order)
        .limit(limit + 1)
        .execute()
      const positions = fitting(found.slice(0, limit), maxBytes).map(({ position }) => position)
      if (positions.length === 0) return { events: [], hasMore: false }
      const rows = await db
        .selectFrom('partner_events')
        .select(['position', 'body'])
        .where('client_id', '=', clientId)
        .where('position', 'in', positions)
        .orderBy('position', order)
        .execute()
      const events = rows.map(row => ({ position: Number(row.position), body: row.body }))
      return { events, hasMore: positions.length < found.length }
    },

    /** Removes events and deliveries from before that time, `limit` at most. False when there are no more. */
    prune: async (beforeMs: number, limit: number): Promise<boolean> => {
      const remove = async (table: 'partner_events' | 'partner_deliveries') => {
        const { numDeletedRows } = await db
          .deleteFrom(table)
          .where('id', 'in', eb =>
            eb
              .selectFrom(table)
              .select('id')
              .where('created_at_ms', '<', beforeMs)
              .orderBy('created_at_ms')
              .limit(limit),
          )
          .executeTakeFirst()
        return numDeletedRows === BigInt(limit)
      }
      const hasDeliveries = await remove('partner_deliveries')
      return (await remove('partner_events')) || hasDeliveries
    },
  }
}

async function publish(
  db: Kysely<MainSchema>,
  events: NewEvent[],
  dropped: number[],
  nowMs: number,
): Promise<number> {
  const ids = [...events.map(each => each.occurrenceId), ...dropped]
  if (ids.length === 0) return 0
  // Another server may have published some of them.
  const { rows: taken } = await sql<{ id: number }>`
    DELETE FROM partner_outbox WHERE id IN (${sql.join(ids)}) RETURNING id`.execute(db)
  const mine = new Set(taken.map(row => Number(row.id)))
  const own = events.filter(each => mine.has(each.occurrenceId))
  const fresh = await withoutRemoved(db, await withoutKnown(db, own))
  if (fresh.length === 0) return 0

  const next = await sequences(db, fresh)
  const numbered = fresh.map(event => {
    const id = `evt_${randomBytes(16).toString('hex')}`
    const { type, created_at, room, data } = event.content
    const sequence = next(event.clientId, event.tag)
    const body = JSON.stringify({ id, type, created_at, sequence, room, data })
    return { event, id, body, position: next(event.clientId, ALL, positionAt(nowMs)) }
  })
  await db
    .insertInto('partner_events')
    .values(
      numbered.map(({ event, id, body, position }) => ({
        client_id: event.clientId,
        position,
        id,
        tag: event.tag,
        type: event.type,
        subject: event.subject,
        body,
        created_at_ms: nowMs,
      })),
    )
    .execute()
  await next.save()
  for (const { clientId, tag } of fresh.filter(each => each.type === 'room.deleted'))
    await db
      .deleteFrom('partner_sequences')
      .where('client_id', '=', clientId)
      .where('name', '=', tag)
      .execute()
  await deliver(db, numbered, nowMs)
  const used = fresh.filter(({ usage }) => usage.participantMs > 0 || usage.recordedMs > 0)
  await addUsage(
    db,
    used.map(({ clientId, atMs, usage }) => ({ clientId, atMs, ...usage })),
  )
  return numbered.length
}

/** An occurrence may be noted again, as when a recorder continues. */
async function withoutKnown(db: Kysely<MainSchema>, events: NewEvent[]): Promise<NewEvent[]> {
  if (events.length === 0) return []
  const rows = await db
    .selectFrom('partner_events')
    .select(['tag', 'type', 'subject'])
    .where('tag', 'in', [...new Set(events.map(each => each.tag))])
    .where('type', 'in', [...new Set(events.map(each => each.type))])
    .where('subject', 'in', [...new Set(events.map(each => each.subject))])
    .execute()
  const seen = new Set(rows.map(keyOf))
  return events.filter(event => !seen.has(keyOf(event)) && seen.add(keyOf(event)))
}

/** A transcript may have been removed since it was read: what was said in it is not stored again. */
async function withoutRemoved(db: Kysely<MainSchema>, events: NewEvent[]): Promise<NewEvent[]> {
  const jobOf = ({ type, subject }: NewEvent) =>
    type === 'transcription.ready' ? subject.slice('job:'.length) : null
  const jobs = events.flatMap(event => jobOf(event) ?? [])
  if (jobs.length === 0) return events
  const rows = await db.selectFrom('transcripts').select('job_id').where('job_id', 'in', jobs).execute()
  const existing = new Set(rows.map(row => row.job_id))
  return events.filter(event => {
    const job = jobOf(event)
    return job === null || existing.has(job)
  })
}

const keyOf = ({ tag, type, subject }: { tag: string; type: string; subject: string }) =>
  `${tag} ${type} ${subject}`

/** A clock that is far ahead leaves this many positions. */
const POSITIONS_AHEAD = 100_000_000
const POSITIONS_SINCE_MS = Date.UTC(2020)

/**
 * The least position of an event: a second has one. A receiver that has stored a position finds what comes after the restore of
 * a backup, in which the numbers are those of an earlier time, unless there was more than an event a second all the time.
 */
export const positionAt = (nowMs: number) =>
  Math.min(Math.max(1, Math.floor((nowMs - POSITIONS_SINCE_MS) / 1000)), POSITION_MAX - POSITIONS_AHEAD)

/** Hands out the next numbers, of rooms and of technical users. */
async function sequences(db: Kysely<MainSchema>, events: NewEvent[]) {
  const rows = await db
    .selectFrom('partner_sequences')
    .selectAll()
    .where('client_id', 'in', [...new Set(events.map(each => each.clientId))])
    .where('name', 'in', [ALL, ...new Set(events.map(each => each.tag))])
    .execute()
  const last = new Map(rows.map(row => [`${row.client_id} ${row.name}`, Number(row.last)]))
  const used = new Map<string, { client_id: number; name: string; last: number }>()
  const next = (client_id: number, name: string, atLeast = 1) => {
    const key = `${client_id} ${name}`
    const number = Math.max((last.get(key) ?? 0) + 1, atLeast)
    last.set(key, number)
    used.set(key, { client_id, name, last: number })
    return number
  }
  const save = () =>
    db
      .insertInto('partner_sequences')
      .values([...used.values()])
      .onConflict(conflict =>
        conflict.columns(['client_id', 'name']).doUpdateSet(eb => ({ last: eb.ref('excluded.last') })),
      )
      .execute()
  return Object.assign(next, { save })
}

async function deliver(
  db: Kysely<MainSchema>,
  events: { event: NewEvent; id: string }[],
  nowMs: number,
): Promise<void> {
  const endpoints = await db
    .selectFrom('partner_endpoints')
    .select(['id', 'client_id', 'events'])
    .where('client_id', 'in', [...new Set(events.map(({ event }) => event.clientId))])
    .where('enabled', '=', 1)
    .execute()
  const wanting = endpoints.map(row => ({ ...row, types: new Set(JSON.parse(row.events) as string[]) }))
  const rows = events.flatMap(({ event, id }) =>
    wanting
      .filter(({ client_id, types }) => client_id === event.clientId && types.has(event.type))
      .map(endpoint => ({
        id: `dlv_${randomBytes(12).toString('hex')}`,
        endpoint_id: endpoint.id,
        event_id: id,
        type: event.type,
        body: null,
        status: 'pending',
        attempts: 0,
        next_attempt_at_ms: nowMs,
        created_at_ms: nowMs,
      })),
  )
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE)
    await db
      .insertInto('partner_deliveries')
      .values(rows.slice(i, i + ROWS_AT_ONCE))
      .execute()
}

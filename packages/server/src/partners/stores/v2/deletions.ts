import type { Metadata } from '@lectern/protocol'
import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { PUBLISHING, positionAt } from './events.ts'
import { aboutRoom } from './requests.ts'

/** A room whose deletion was requested. */
export interface RoomDeletion {
  tag: string
  clientId: number
  externalId: string
  metadata: Metadata
  /** External ids of its people. */
  people: string[]
  requestedAtMs: number
}

const requestsAbout = (db: Kysely<MainSchema>, clientId: number, externalId: string) =>
  db.deleteFrom('partner_requests').where('fingerprint', 'like', `${aboutRoom(clientId, externalId)}%`)

export type RoomDeletionStore = ReturnType<typeof roomDeletionStore>

export function roomDeletionStore(db: Kysely<MainSchema>) {
  const all = async (tags?: string[]): Promise<RoomDeletion[]> => {
    const rows = await db
      .selectFrom('partner_room_deletions')
      .selectAll()
      .$if(tags !== undefined, query => query.where('tag', 'in', tags ?? []))
      .orderBy('requested_at_ms')
      .execute()
    return rows.map(row => ({
      tag: row.tag,
      clientId: row.client_id,
      externalId: row.external_id,
      metadata: JSON.parse(row.metadata) as Metadata,
      people: JSON.parse(row.people) as string[],
      requestedAtMs: row.requested_at_ms,
    }))
  }
  return {
    begin: async ({ tag, clientId, externalId, metadata, people, requestedAtMs }: RoomDeletion) => {
      await db
        .insertInto('partner_room_deletions')
        .values({
          tag,
          client_id: clientId,
          external_id: externalId,
          metadata: JSON.stringify(metadata),
          people: JSON.stringify(people),
          requested_at_ms: requestedAtMs,
        })
        .onConflict(conflict => conflict.column('tag').doNothing())
        .execute()
    },
    /** Forgets the answers to requests about the room. Call it as soon as there is none with this id, and no new one yet. */
    forgetRequests: async ({ clientId, externalId }: RoomDeletion) => {
      await requestsAbout(db, clientId, externalId).execute()
    },
    listPending: () => all(),
    find: (tags: string[]) => (tags.length === 0 ? Promise.resolve([]) : all(tags)),
    unfinishedJobs: async (tag: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('jobs')
        .select('id')
        .where('conference_tag', '=', tag)
        .where('state', 'in', ['queued', 'leased'])
        .execute()
      return rows.map(row => row.id)
    },
    hasOccurrences: async (tag: string): Promise<boolean> => {
      const row = await db
        .selectFrom('partner_outbox')
        .select('id')
        .where('tag', '=', tag)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Whether an endpoint may still accept an event of the room that was stored between these times. */
    hasPendingDeliveries: async (tag: string, fromMs: number, toMs: number): Promise<boolean> => {
      const row = await db
        .selectFrom('partner_events as event')
        .innerJoin('partner_deliveries as delivery', 'delivery.event_id', 'event.id')
        .select('delivery.id')
        .where('event.tag', '=', tag)
        // Of a room with a long history only the last events are read.
        .where('event.position', '>=', positionAt(fromMs))
        .where('delivery.status', '=', 'pending')
        .where('delivery.created_at_ms', '>=', fromMs)
        .where('delivery.created_at_ms', '<=', toMs)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Jobs with a recording, also one whose files are still being removed. */
    recordings: async (tag: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('recordings')
        .select('job_id')
        .where('conference_tag', '=', tag)
        .union(
          db
            .selectFrom('recording_removals')
            .select('job_id')
            .where('conference_tag', '=', tag)
            .where('completed_at', 'is', null),
        )
        .execute()
      return rows.map(row => row.job_id)
    },
    /** Jobs that have, or had, a recording or a transcript. */
    recordedJobs: async (tag: string): Promise<string[]> => {
      const recordings = await db
        .selectFrom('recordings')
        .select('job_id')
        .where('conference_tag', '=', tag)
        .execute()
      const removed = await db
        .selectFrom('recording_removals')
        .select('job_id')
        .where('conference_tag', '=', tag)
        .execute()
      const transcripts = await db
        .selectFrom('transcripts')
        .select('job_id')
        .where('conference_tag', '=', tag)
        .execute()
      return [...recordings, ...removed, ...transcripts].map(row => row.job_id)
    },
    removeTranscripts: async (tag: string): Promise<void> => {
      await db.deleteFrom('transcripts').where('conference_tag', '=', tag).execute()
    },
    /** The accounts of everybody who was inside. */
    attendees: async (tag: string): Promise<number[]> => {
      const rows = await db
        .selectFrom('partner_attendance')
        .select('user_id')
        .distinct()
        .where('tag', '=', tag)
        .execute()
      return rows.map(row => row.user_id)
    },
    /** The accounts of guests who were inside, and in no other conference. */
    ownGuests: async (tag: string): Promise<number[]> => {
      const rows = await db
        .selectFrom('partner_attendance as here')
        .innerJoin('users', 'users.id', 'here.user_id')
        .select('here.user_id')
        .distinct()
        .where('here.tag', '=', tag)
        .where('users.kind', '=', 'guest')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('session_participants as elsewhere')
                .innerJoin('conference_sessions as session', 'session.id', 'elsewhere.session_id')
                .select('session.id')
                .whereRef('elsewhere.user_id', '=', 'here.user_id')
                .where('session.tag', '<>', tag),
            ),
          ),
        )
        .execute()
      return rows.map(row => row.user_id)
    },
    /** Files of the chat and of the board. */
    files: async (tag: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('conference_files')
        .select('id')
        .where('conference_tag', '=', tag)
        .execute()
      return rows.map(row => row.id)
    },
    /** Jobs of any kind, whatever they resulted in. */
    allJobs: async (tag: string): Promise<string[]> => {
      const rows = await db.selectFrom('jobs').select('id').where('conference_tag', '=', tag).execute()
      return rows.map(row => row.id)
    },
    blobs: async (scope: string): Promise<string[]> =>
      (await db.selectFrom('blobs').select('id').where('scope', '=', scope).execute()).map(row => row.id),
    /** Removes everything that the store has of the room and notes that it is deleted, in one transaction. */
    complete: (
      { tag, clientId, externalId, metadata, requestedAtMs }: RoomDeletion,
      atMs: number,
    ): Promise<void> =>
      inTransaction(
        db,
        async store => {
          const sessions = store.selectFrom('conference_sessions').select('id').where('tag', '=', tag)
          await store
            .deleteFrom('chat_messages')
            .where(
              'chat_id',
              'in',
              store
                .selectFrom('conference_sessions')
                .select(sql<string>`'session:' || id`.as('chat_id'))
                .where('tag', '=', tag),
            )
            .execute()
          await store.deleteFrom('session_participants').where('session_id', 'in', sessions).execute()
          await store.deleteFrom('transcripts').where('conference_tag', '=', tag).execute()
          await rememberRecordings(store, tag, atMs)
          await store.deleteFrom('jobs').where('conference_tag', '=', tag).execute()
          for (const table of ['board_elements', 'board_pages', 'boards'] as const)
            await store.deleteFrom(table).where('tag', '=', tag).execute()
          // Uploads that were running meanwhile; the sweep removes their content.
          await store
            .updateTable('conference_files')
            .set({ state: 'removing', name: '', display_name: '' })
            .where('conference_tag', '=', tag)
            .execute()
          await store.deleteFrom('partner_attendance').where('tag', '=', tag).execute()
          await store.deleteFrom('partner_people').where('tag', '=', tag).execute()
          // Later ones are about a new room with the same id.
          await requestsAbout(store, clientId, externalId)
            .where('created_at_ms', '<=', requestedAtMs)
            .execute()
          await store.deleteFrom('lti_resources').where('tag', '=', tag).execute()
          await store.deleteFrom('lti_grades').where('tag', '=', tag).execute()
          await store
            .deleteFrom('partner_deliveries')
            .where('event_id', 'in', store.selectFrom('partner_events').select('id').where('tag', '=', tag))
            .execute()
          await store.deleteFrom('partner_events').where('tag', '=', tag).execute()
          await store
            .deleteFrom('conference_sessions')
            .where('tag', '=', tag)
            .where('ended_at_ms', 'is not', null)
            .execute()
          // What happened in the last moment: its events would have names, and follow that of the end.
          await store.deleteFrom('partner_outbox').where('tag', '=', tag).execute()
          const data = JSON.stringify({ client_id: clientId, external_id: externalId, metadata })
          const about = { tag, type: 'room.deleted', subject: 'room' }
          await store
            .insertInto('partner_outbox')
            .values({ ...about, at_ms: atMs, data })
            .execute()
          await store.deleteFrom('partner_room_deletions').where('tag', '=', tag).execute()
        },
        [PUBLISHING],
      ),
  }
}

/** A recorder that comes back later asks what became of its jobs, and removes what it has of deleted ones. */
async function rememberRecordings(store: Kysely<MainSchema>, tag: string, atMs: number): Promise<void> {
  const deletedAt = sql<number>`CAST(${Math.floor(atMs / 1000)} AS BIGINT)`
  await store
    .insertInto('recording_removals')
    .columns([
      ...(['job_id', 'conference_tag', 'conference_session_id', 'started_at_ms', 'ended_at_ms'] as const),
      ...(['blob_ids', 'removed_at', 'completed_at'] as const),
    ])
    .expression(eb =>
      eb
        .selectFrom('jobs')
        .select(['id', 'conference_tag', 'conference_session_id'])
        .select([sql`0`.as('started'), sql`0`.as('ended'), sql`'[]'`.as('blobs')])
        .select([deletedAt.as('removed'), deletedAt.as('completed')])
        .where('conference_tag', '=', tag)
        .where('kind', '=', 'recording'),
    )
    .onConflict(conflict => conflict.column('job_id').doNothing())
    .execute()
}

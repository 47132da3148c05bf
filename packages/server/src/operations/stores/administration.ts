import type { AdminJob } from '@lectern/protocol'
import type { JobKind } from '@lectern/protocol/control'
import type { Kysely, Selectable } from 'kysely'
import type { JobsTable, MainSchema } from '../../platform/db/schema.ts'
import { contains, olderThan } from '../../platform/db/search.ts'
import type { Page, TimePage } from '../../platform/paging.ts'
import type { Recording } from '../../records/ports.ts'
import { toRecording } from '../../records/stores/recordings.ts'
import { TRANSCRIPT_HEAD, toTranscriptHead } from '../../records/stores/transcripts.ts'
import type { IndexedRecording, IndexedTranscript } from '../admin/ports.ts'

const FAILURE_MAX_LENGTH = 300

const toJob = (row: Selectable<JobsTable>): AdminJob => ({
  job_id: row.id,
  kind: row.kind as JobKind,
  scope: row.scope,
  state: row.state as AdminJob['state'],
  conference_tag: row.conference_tag,
  conference_session_id: row.conference_session_id,
  attempts: row.attempts,
  stop_requested: row.stop_requested === 1,
  worker_id: row.owner_worker_id,
  lease_until_ms: row.state === 'leased' ? row.lease_until_ms : null,
  failure: row.state === 'failed' ? failureOf(row.result) : null,
  created_at_ms: row.created_at_ms,
  updated_at_ms: row.updated_at_ms,
})

/** Workers report the reason as `reason`, `error` or `message`. */
function failureOf(result: string | null): string | null {
  const { reason, error, message } = JSON.parse(result ?? '{}') as Record<string, unknown>
  const text = [reason, error, message].find(value => typeof value === 'string')
  return typeof text === 'string' ? text.slice(0, FAILURE_MAX_LENGTH) : null
}

/** Lists of the main store that only administrators read. `conferenceTags`, if given, has at least one. */
export type AdministrationLists = ReturnType<typeof administrationLists>

export function administrationLists(db: Kysely<MainSchema>) {
  return {
    jobs: async (
      {
        kind,
        state,
        conferenceTags,
      }: {
        kind?: JobKind | undefined
        state?: AdminJob['state'] | undefined
        conferenceTags?: readonly string[] | undefined
      },
      { before, limit }: TimePage,
    ): Promise<AdminJob[]> => {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .$if(kind !== undefined, query => query.where('kind', '=', kind as string))
        .$if(state !== undefined, query => query.where('state', '=', state as string))
        .$if(conferenceTags !== undefined, query => query.where('conference_tag', 'in', conferenceTags ?? []))
        .$if(before !== undefined, query => query.where(olderThan('created_at_ms', before)))
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toJob)
    },
    /** The newest conferences of users whose title or tag contains the text. */
    findTags: async (search: string, limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('conferences')
        .select('tag')
        .where(contains(db, ['title', 'tag'], search))
        .orderBy('created_at_ms', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ tag }) => tag)
    },
    findJob: async (id: string): Promise<AdminJob | null> => {
      const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toJob(row) : null
    },
    findRecording: async (jobId: string): Promise<Recording | null> => {
      const row = await db.selectFrom('recordings').selectAll().where('job_id', '=', jobId).executeTakeFirst()
      return row ? toRecording(row) : null
    },
    recordings: async (
      { conferenceTags }: { conferenceTags?: readonly string[] | undefined },
      { before, limit }: Page,
    ): Promise<IndexedRecording[]> => {
      const rows = await db
        .selectFrom('recordings')
        .selectAll()
        .$if(conferenceTags !== undefined, query => query.where('conference_tag', 'in', conferenceTags ?? []))
        .$if(before !== undefined, query => query.where('id', '<', before as number))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(row => ({ ...toRecording(row), rowId: row.id }))
    },
    transcripts: async (
      { conferenceTags }: { conferenceTags?: readonly string[] | undefined },
      { before, limit }: Page,
    ): Promise<IndexedTranscript[]> => {
      const rows = await db
        .selectFrom('transcripts')
        .select(['id', ...TRANSCRIPT_HEAD])
        .$if(conferenceTags !== undefined, query => query.where('conference_tag', 'in', conferenceTags ?? []))
        .$if(before !== undefined, query => query.where('id', '<', before as number))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(row => ({ ...toTranscriptHead(row), rowId: row.id }))
    },
    /** Numbers of rows, and the bytes of finished files. */
    counts: async () => {
      const blobs = await db
        .selectFrom('blobs')
        .select(({ fn }) => [
          'state',
          fn.countAll<number>().as('count'),
          fn.sum<number | null>('size').as('bytes'),
        ])
        .groupBy('state')
        .execute()
      const ready = blobs.find(({ state }) => state === 'ready')
      const count = async (table: 'recordings' | 'transcripts') => {
        const { rows } = await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .executeTakeFirstOrThrow()
        return Number(rows)
      }
      return {
        files: Number(ready?.count ?? 0),
        bytes: Number(ready?.bytes ?? 0),
        uploads: Number(blobs.find(({ state }) => state === 'writing')?.count ?? 0),
        recordings: await count('recordings'),
        transcripts: await count('transcripts'),
      }
    },
  }
}

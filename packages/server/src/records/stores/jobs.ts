import type { JobKind, JobOutcome, JsonObject } from '@lectern/protocol/control'
import { type ExpressionBuilder, type Kysely, sql, type UpdateObject } from 'kysely'
import { isPostgres } from '../../platform/db/dialect.ts'
import { prepared } from '../../platform/db/prepared.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { SessionLease } from '../../sessions/ports.ts'
import { isFenced, lockLease } from '../../sessions/stores/fencing.ts'
import type {
  ActiveWorker,
  Job,
  JobCount,
  JobOwner,
  Lease,
  LeaseRequest,
  NewJob,
  ScheduledJob,
} from '../jobs/ports.ts'
import { isFinishedBy, isOf, isUnfinished, needsOneOf, requestsOneOf, toJob, toRow } from './job-rows.ts'

/** Accounts with a capability for jobs: there are a few. */
const WORKERS_MAX = 1_000
/** Times that are further ahead are from before the clock was set back. */
const CLOCK_ERROR_MS = 60_000

/** The present incarnation of the session of a job. */
const incarnation = sql<number>`COALESCE(
  (SELECT incarnation FROM conference_sessions s WHERE s.id = jobs.conference_session_id), 0
)`

const renewed = ({ nowMs, untilMs }: Lease) => ({
  lease_until_ms: untilMs,
  session_incarnation: incarnation,
  updated_at_ms: nowMs,
})

/** MUST equal the condition of the index literally. */
const isOneOfSession = sql<boolean>`${isUnfinished} AND stop_requested = 0 AND kind <> 'conversion'`

/** Within this time the documents of a conference count for its turn. */
const TURNS_MS = 3_600_000

/** How many conversions of the conference came before: one that brings hundreds does not keep others from the converters. */
const turnOf = (eb: ExpressionBuilder<MainSchema, 'jobs'>, { kind, conferenceTag }: NewJob, nowMs: number) =>
  kind === 'conversion'
    ? eb
        .selectFrom('jobs as before')
        .select(before => before.fn.countAll<number>().as('count'))
        .where('before.conference_tag', '=', conferenceTag)
        .where('before.kind', '=', kind)
        .where('before.created_at_ms', '>', nowMs - TURNS_MS)
    : 0

export type JobStore = ReturnType<typeof jobStore>

export function jobStore(db: Kysely<MainSchema>) {
  /** The job while its owner holds it. */
  const change = async (
    id: string,
    owner: JobOwner,
    changes: UpdateObject<MainSchema, 'jobs'>,
    connection = db,
  ) => {
    const row = await connection
      .updateTable('jobs')
      .set(changes)
      .where('id', '=', id)
      .where('state', '=', 'leased')
      .where(isOf(owner))
      .returningAll()
      .executeTakeFirst()
    return row ? toJob(row) : null
  }
  const find = async (id: string) => {
    const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
    return row ? toJob(row) : null
  }

  const ofSession = prepared(db, (sessionId: number, kind: JobKind) =>
    db
      .selectFrom('jobs')
      .selectAll()
      .where('conference_session_id', '=', sessionId)
      .where('kind', '=', kind)
      .where(isOneOfSession),
  )

  const add = async (connection: Kysely<MainSchema>, job: NewJob, nowMs: number) => {
    const row = await connection
      .insertInto('jobs')
      .values(toRow(job, nowMs))
      .onConflict(conflict =>
        conflict
          .columns(['conference_session_id', 'kind'])
          .where(isOneOfSession)
          // Changes nothing, but returns the existing row.
          .doUpdateSet(eb => ({ id: eb.ref('jobs.id') })),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    return toJob(row)
  }

  const scheduled = prepared(db, (sessionOwner: string) =>
    db
      .selectFrom('jobs')
      .leftJoin('conference_sessions as session', join =>
        join.onRef('session.id', '=', 'conference_session_id').on('session.ended_at_ms', 'is', null),
      )
      .selectAll('jobs')
      .select('session.incarnation')
      .where(isUnfinished)
      .where(eb => eb.or([eb('session.id', 'is', null), eb('session.owner', '=', sessionOwner)]))
      .orderBy('created_at_ms'),
  )

  return {
    find,

    /** The unfinished job of this kind in the session, created if there is none; a job that stops does not count. */
    add: (job: NewJob, nowMs: number): Promise<Job> => add(db, job, nowMs),

    /** The job with this id, created if there is none. */
    addWithId: async (id: string, job: NewJob, nowMs: number): Promise<Job> => {
      const row = await db
        .insertInto('jobs')
        .values(eb => ({ ...toRow(job, nowMs), id, turn: turnOf(eb, job, nowMs) }))
        .onConflict(conflict => conflict.column('id').doUpdateSet(eb => ({ id: eb.ref('jobs.id') })))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toJob(row)
    },

    /** `add` for a session of this server. Null: its lease is not held any more, and nothing was stored. */
    addUnder: async (lease: SessionLease, job: NewJob, nowMs: number): Promise<Job | null> => {
      if (!isFenced(lease)) return add(db, job, nowMs)
      // Each server that takes a session over asks for its jobs, which are there.
      const [known] = await ofSession(job.conferenceSessionId, job.kind)
      if (known) return toJob(known)
      return inTransaction(db, async connection =>
        (await lockLease(connection, lease)) ? add(connection, job, nowMs) : null,
      )
    },

    /** Queued and leased jobs, oldest first: of a session, or those that workers of an account hold. */
    listUnfinished: async (filter: { sessionId: number } | { heldBy: number }): Promise<Job[]> => {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where(isUnfinished)
        .where(eb =>
          'sessionId' in filter
            ? eb('conference_session_id', '=', filter.sessionId)
            : eb.and({ state: 'leased', owner_user_id: filter.heldBy }),
        )
        .orderBy('created_at_ms')
        .execute()
      return rows.map(toJob)
    },

    /** Queued and leased jobs of the sessions of an owner, and of those that have ended, oldest first. */
    listScheduled: async (sessionOwner: string | null): Promise<ScheduledJob[]> => {
      const rows = await scheduled(sessionOwner ?? '')
      return rows.map(({ incarnation, ...row }) => ({
        ...toJob(row),
        isSessionOpen: incarnation !== null,
        isConfirmed: incarnation === row.session_incarnation,
      }))
    },

    /** The queued and leased jobs of all sessions. */
    countUnfinished: async (): Promise<JobCount[]> => {
      const rows = await db
        .selectFrom('jobs')
        .select(['kind', 'state', eb => eb.fn.countAll<number>().as('count')])
        .where(isUnfinished)
        .groupBy(['kind', 'state'])
        .execute()
      return rows as JobCount[]
    },

    /**
     * Leases a job that the owner held before and has lost track of, else a free one: queued, or with an expired lease.
     * Jobs with the fewest attempts come first, and conversions of conferences take turns (rule J26). Null when there is none. One statement, so that of two concurrent workers
     * the second sees the lease of the first.
     */
    lease: async (
      { kind, holding, expiredAtMs, impossibleAfterMs, languages = [], formats = [] }: LeaseRequest,
      { owner, nowMs, untilMs }: Lease,
    ): Promise<Job | null> => {
      const isOwn = isOf(owner)
      const row = await db
        .updateTable('jobs')
        .set(eb => ({
          state: 'leased',
          owner_user_id: owner.userId,
          owner_worker_id: owner.workerId,
          lease_until_ms: untilMs,
          attempts: eb('attempts', '+', 1),
          active: 0,
          updated_at_ms: nowMs,
        }))
        .where('id', '=', eb =>
          eb
            .selectFrom('jobs')
            .select('id')
            .where('kind', '=', kind)
            .where(isUnfinished)
            .where(job =>
              job.or([
                job('state', '=', 'queued'),
                job('lease_until_ms', '<=', expiredAtMs),
                ...(impossibleAfterMs === undefined ? [] : [job('lease_until_ms', '>', impossibleAfterMs)]),
                isOwn(job),
              ]),
            )
            .$if(holding.length > 0, query => query.where('id', 'not in', [...holding]))
            .$if(languages.length > 0, query => query.where(requestsOneOf(languages)))
            .$if(kind === 'conversion', query => query.where(needsOneOf(formats)))
            .orderBy(job => job.case().when(isOwn(job)).then(0).else(1).end())
            .orderBy('attempts')
            .orderBy('turn')
            .orderBy('created_at_ms')
            .orderBy('id')
            .limit(1)
            .$if(isPostgres(db), query => query.forUpdate().skipLocked()),
        )
        .returningAll()
        .executeTakeFirst()
      return row ? toJob(row) : null
    },

    /** Null when the owner does not hold the job. */
    renew: (id: string, lease: Lease): Promise<Job | null> => change(id, lease.owner, renewed(lease)),

    /** Also renews the lease. Null when the owner does not hold the job. */
    progress: (
      id: string,
      lease: Lease,
      { active, details }: { active: boolean; details?: JsonObject | undefined },
    ): Promise<Job | null> =>
      change(id, lease.owner, {
        ...renewed(lease),
        active: active ? 1 : 0,
        details: details && JSON.stringify(details), // undefined leaves the column unchanged
      }),

    /**
     * The first outcome is final; when its owner repeats the call, it returns the finished job. `isInterrupted`: another job
     * continues it, unless it was requested to stop or its session has ended.
     */
    finish: async (
      id: string,
      owner: JobOwner,
      {
        outcome,
        result,
        isInterrupted = false,
      }: { outcome: JobOutcome; result: JsonObject; isInterrupted?: boolean },
      nowMs: number,
    ): Promise<Job | null> => {
      const end = {
        state: outcome,
        result: JSON.stringify(result),
        active: 0,
        lease_until_ms: null,
        updated_at_ms: nowMs,
      }
      const finished = isInterrupted
        ? await inTransaction(db, async connection => {
            const ended = await change(id, owner, end, connection)
            const isContinued = ended && !ended.stopRequested && (await isSessionOpen(connection, ended))
            if (isContinued) await add(connection, ended, nowMs)
            return ended
          })
        : await change(id, owner, end)
      const job = finished ?? (await find(id))
      return job && isFinishedBy(job, owner) ? job : null
    },

    /** Cancels a queued job; requests a leased one to stop. False when nothing changed. */
    stop: async (id: string, nowMs: number) => {
      const { numUpdatedRows } = await db
        .updateTable('jobs')
        .set(eb => ({
          state: eb.case().when('state', '=', 'queued').then('cancelled').else(eb.ref('state')).end(),
          stop_requested: 1,
          updated_at_ms: nowMs,
        }))
        .where('id', '=', id)
        .where(isUnfinished)
        .where('stop_requested', '=', 0)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Cancels a job that was requested to stop and whose lease has expired. False: somebody holds it, or it has ended. */
    abandon: async (
      id: string,
      { expiredAtMs, impossibleAfterMs }: Required<Pick<LeaseRequest, 'expiredAtMs' | 'impossibleAfterMs'>>,
      nowMs: number,
    ): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('jobs')
        .set({ state: 'cancelled', active: 0, lease_until_ms: null, updated_at_ms: nowMs })
        .where('id', '=', id)
        .where('state', '=', 'leased')
        .where('stop_requested', '=', 1)
        .where(({ or, eb }) =>
          or([eb('lease_until_ms', '<=', expiredAtMs), eb('lease_until_ms', '>', impossibleAfterMs)]),
        )
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Whether its recording was deleted, or its room, in the last 90 days. */
    isDeleted: async (id: string): Promise<boolean> => {
      const row = await db
        .selectFrom('recording_removals')
        .select('job_id')
        .where('job_id', '=', id)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Removes jobs that ended before that time, and workers that were not active since. */
    sweep: async (beforeMs: number) => {
      await db
        .deleteFrom('jobs')
        .where('state', 'in', ['done', 'failed', 'cancelled'])
        .where('updated_at_ms', '<', beforeMs)
        .execute()
      await db.deleteFrom('job_workers').where('active_at_ms', '<', beforeMs).execute()
    },

    /** Keeps the latest times for each account and kind, and the languages that were announced last. */
    recordWorker: async ({ kind, userId, activeAtMs, languages, officeAtMs }: ActiveWorker) => {
      const latest = {
        active_at_ms: activeAtMs,
        ...(languages.length > 0 && { languages: languages.join(' ') }),
        ...(officeAtMs === activeAtMs && { office_at_ms: officeAtMs }),
      }
      await db
        .insertInto('job_workers')
        .values({ kind, user_id: userId, ...latest })
        .onConflict(conflict =>
          conflict
            .columns(['kind', 'user_id'])
            .doUpdateSet(latest)
            .where(({ or, eb }) =>
              or([
                eb('job_workers.active_at_ms', '<=', activeAtMs),
                eb('job_workers.active_at_ms', '>', activeAtMs + CLOCK_ERROR_MS),
              ]),
            ),
        )
        .execute()
    },

    /** Workers that were active since that time, on any server. */
    listWorkers: async (sinceMs: number): Promise<ActiveWorker[]> => {
      const rows = await db
        .selectFrom('job_workers')
        .selectAll()
        .where('active_at_ms', '>=', sinceMs)
        .limit(WORKERS_MAX)
        .execute()
      return rows.map(row => ({
        kind: row.kind as JobKind,
        userId: row.user_id,
        activeAtMs: row.active_at_ms,
        languages: row.languages.split(' ').filter(tag => tag !== ''),
        officeAtMs: row.office_at_ms,
      }))
    },
  }
}

const isSessionOpen = async (db: Kysely<MainSchema>, { conferenceSessionId }: Job): Promise<boolean> => {
  const query = db.selectFrom('conference_sessions').select('id').where('id', '=', conferenceSessionId)
  return (await query.where('ended_at_ms', 'is', null).executeTakeFirst()) !== undefined
}

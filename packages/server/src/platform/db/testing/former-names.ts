import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { jobStore } from '../../../records/stores/jobs.ts'
import { recordingStore } from '../../../records/stores/recordings.ts'
import { transcriptStore } from '../../../records/stores/transcripts.ts'
import { sessionStore } from '../../../sessions/stores/conference-sessions.ts'
import { migrate } from '../migrate.ts'
import { mainMigrations } from '../migrations/main.ts'
import { standardNames } from '../migrations/names.ts'
import { openMainStore } from '../open.ts'
import type { MainSchema } from '../schema.ts'
import type { Store } from '../store.ts'

/** Rows of each table with renamed columns, as the version before wrote them. */
const ROWS = [
  `INSERT INTO conference_sessions (id, tag, started_at_ms, life, locked, chat_mode, removed, members, owner)
    VALUES (1, 'team', 10, 3, 1, 'open', '[]', '[]', 'local')`,
  `INSERT INTO jobs (id, kind, scope, conference_session_id, conference_tag, params, state, stop_asked, attempts,
    owner_user_id, owner_worker_id, lease_until_ms, active, details, session_life, created_at_ms, updated_at_ms) VALUES
    ('job_held', 'recording', 'manual', 1, 'team', '{}', 'leased', 0, 1, 5, 'w', 99, 1, '{}', 3, 20, 30),
    ('job_unconfirmed', 'transcription', 'manual', 1, 'team', '{}', 'leased', 1, 1, 5, 'w', 99, 1, '{}', 2, 21, 30)`,
  ...['a', 'b'].map(
    id => `INSERT INTO recordings (job_id, conference_tag, conference_session_id, profile, status, started_at_ms,
      ended_at_ms, duration_ms, output_dir, files, artifact, indexed_at, told_at)
      VALUES ('${id}', 'team', 1, 'composed', 'complete', 1, 2, 1, '', '[]', '{}', 3, ${id === 'a' ? 4 : 'NULL'})`,
  ),
  ...['a', 'b'].map(
    id => `INSERT INTO transcripts (job_id, conference_tag, conference_session_id, status, language, engine,
      started_at_ms, ended_at_ms, reason, text, segments, indexed_at, told_at)
      VALUES ('${id}', 'team', 1, 'complete', 'en', 'e', 1, 2, 'stopped', 'Hello', '[]', 3, ${id === 'a' ? 4 : 'NULL'})`,
  ),
]

/** `create`: the location of an empty database; `open`: opens it as it is. */
export function describeFormerNames(
  create: () => Promise<string>,
  open: (location: string) => Store<MainSchema>,
): void {
  describe('a main store with names of columns from before decision 125', () => {
    it('is migrated with everything in it', async () => {
      const location = await create()
      const former = open(location)
      await migrate(former, mainMigrations.slice(0, mainMigrations.indexOf(standardNames)))
      for (const row of ROWS) await sql.raw(row).execute(former.db)
      await former.close()
      const store = await openMainStore(location)
      await expectEverything(store.db).finally(() => store.close())
    })
  })
}

async function expectEverything(db: Kysely<MainSchema>): Promise<void> {
  const jobs = jobStore(db)
  expect(await jobs.listScheduled('local')).toMatchObject([
    { id: 'job_held', stopRequested: false, isSessionOpen: true, isConfirmed: true },
    { id: 'job_unconfirmed', stopRequested: true, isSessionOpen: true, isConfirmed: false },
  ])
  // The unique index admits another one only beside a job that stops.
  const request = { scope: 'manual', conferenceSessionId: 1, conferenceTag: 'team', params: {} } as const
  expect(await jobs.add({ ...request, kind: 'recording' }, 40)).toMatchObject({ id: 'job_held' })
  const transcription = await jobs.add({ ...request, kind: 'transcription' }, 40)
  expect(transcription.id).not.toBe('job_unconfirmed')
  expect(await jobs.add({ ...request, kind: 'transcription' }, 41)).toEqual(transcription)
  for (const records of [recordingStore(db), transcriptStore(db)]) {
    expect(await records.listUnnotified(9)).toMatchObject([{ jobId: 'b' }])
    await records.markNotified('b', 5)
    expect(await records.listUnnotified(9)).toEqual([])
  }
  expect(await sessionStore(db).resumeOpen()).toMatchObject([
    { sessionId: 1, tag: 'team', incarnation: 4, locked: true },
  ])
}

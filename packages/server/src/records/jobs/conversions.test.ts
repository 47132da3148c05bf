import { expect, it } from 'vitest'
import { DomainEvents } from '../../domain-events.ts'
import { openMainStore } from '../../platform/db/open.ts'
import { createLog } from '../../platform/log.ts'
import { jobStore } from '../stores/jobs.ts'
import { Jobs } from './jobs.ts'
import { MAX_CONVERSION_ATTEMPTS } from './limits.ts'

const converter = { userId: 7, workerId: 'c' }
/** A session that has ended, or never was. */
const SESSION = { sessionId: 42, tag: 'aaaa-bbbbb-cccc' }

it('J23 runs conversions beside each other and after the session, until they have failed a few times', async () => {
  const main = await openMainStore(':memory:')
  const log = createLog('silent')
  const failed: string[] = []
  const jobs = new Jobs({
    store: jobStore(main.db),
    sessions: { owner: 'local' },
    domainEvents: new DomainEvents(log),
    workers: { publishToAccount: () => {} },
    recordingParams: {},
    results: {
      recording: async () => {},
      transcription: async () => {},
      conversion: async () => {},
    },
    onFailure: { conversion: async ({ id }) => void failed.push(id) },
    externalIdsOf: async () => new Map(),
    clock: () => 1_000,
    log,
  })
  for (const id of ['job_a', 'job_b', 'job_a']) await jobs.convert(id, { ...SESSION, params: { id } })
  await jobs.tick()
  expect(await jobs.countUnfinished()).toEqual({ queued: 2, leased: 0 })
  const attempts: unknown[] = []
  for (let i = 0; i <= 2 * MAX_CONVERSION_ATTEMPTS; i++)
    attempts.push((await jobs.leased.lease(converter, 'conversion', [])).job?.job_id)
  expect(attempts.filter(id => id === 'job_a')).toHaveLength(MAX_CONVERSION_ATTEMPTS)
  expect(attempts.filter(id => id === 'job_b')).toHaveLength(MAX_CONVERSION_ATTEMPTS)
  expect(failed.sort()).toEqual(['job_a', 'job_b'])
  await main.close()
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { DomainEvents } from '../domain-events.ts'
import { Lifetime } from '../lifetime.ts'
import { createLog } from '../log.ts'
import { upload } from '../records/testing/uploads.ts'
import { endJob, leaseJob } from '../storage/testing/jobs.ts'
import { noTracing } from '../tracing.ts'
import { composeRecords } from './records.ts'
import { composeStores } from './stores.ts'

it('sweeps files of jobs that failed, and logs how many but not which', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-records-'))
  const ini = join(dir, 'lectern.ini')
  writeFileSync(ini, `[Server]\nDataDir=${dir}\n`)
  const lines: string[] = []
  const log = createLog('info', { write: line => void lines.push(line) })
  let now = 1_700_000_000
  const clock = () => now * 1000
  const lifetime = new Lifetime(log)
  const tracing = noTracing
  const stores = await composeStores({ config: loadConfig(ini, {}), clock, log, lifetime, tracing })
  const domainEvents = new DomainEvents(log)
  const { sweep } = composeRecords({ stores, ownerOf: async () => null, domainEvents, clock, log })
  await sweep()
  expect(lines).toEqual([])

  const jobId = await leaseJob(stores.jobs, now)
  const { id } = await upload(stores.blobs, Buffer.from('video'), { jobId })
  await endJob(stores.jobs, jobId, 'failed', now)
  now += 2 * 86_400
  await sweep()
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'warn', msg: 'orphaned files were removed', abandoned: 0, lost: 0, stray: 0, unclaimed: 1 },
  ])
  expect(lines.join()).not.toContain(id)
  await lifetime.close()
  rmSync(dir, { recursive: true })
})

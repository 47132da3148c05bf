import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from './config/index.ts'
import { jobStore } from './db/jobs.ts'
import { openMainStore } from './db/open.ts'
import { standalone } from './hooks.ts'
import { loadRecords } from './load-records.ts'
import { createLog } from './log.ts'
import { upload } from './records/testing/uploads.ts'
import { endJob, leaseJob } from './storage/testing/jobs.ts'

it('sweeps files of jobs that failed, and logs how many but not which', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-records-'))
  const ini = join(dir, 'lectern.ini')
  writeFileSync(ini, `[Server]\nDataDir=${dir}\n`)
  const main = await openMainStore(':memory:')
  const lines: string[] = []
  let now = 1_700_000_000
  const { blobs, sweep } = await loadRecords(loadConfig(ini, {}), {
    db: main.db,
    clock: () => now * 1000,
    log: createLog('info', { write: line => void lines.push(line) }),
    integration: () => standalone,
    heldBy: async () => [],
  })
  await sweep()
  expect(lines).toEqual([])

  const jobs = jobStore(main.db)
  const jobId = await leaseJob(jobs, now)
  const { id } = await upload(blobs, Buffer.from('film'), { jobId })
  await endJob(jobs, jobId, 'failed', now)
  now += 2 * 86_400
  await sweep()
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'warn', msg: 'left-over files were removed', abandoned: 0, lost: 0, stray: 0, unclaimed: 1 },
  ])
  expect(lines.join()).not.toContain(id)
  await main.close()
  rmSync(dir, { recursive: true })
})

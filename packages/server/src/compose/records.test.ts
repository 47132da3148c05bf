import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { DomainEvents } from '../domain-events.ts'
import { loadConfig } from '../platform/config/index.ts'
import { Lifetime } from '../platform/lifetime.ts'
import { createLog } from '../platform/log.ts'
import { noTracing } from '../platform/tracing.ts'
import { Layout } from '../records/storage/layout.ts'
import { endJob, leaseJob, recordOf } from '../records/storage/testing/jobs.ts'
import { upload } from '../records/testing/uploads.ts'
import { composeRecords } from './records.ts'
import { composeStores } from './stores.ts'

async function open() {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-records-'))
  const ini = join(dir, 'lectern.ini')
  writeFileSync(ini, `[Server]\nDataDir=${dir}\n`)
  const lines: string[] = []
  const log = createLog('info', { write: line => void lines.push(line) })
  const time = { now: 1_700_000_000 }
  const clock = () => time.now * 1000
  const lifetime = new Lifetime(log)
  const tracing = noTracing
  const stores = await composeStores({ config: loadConfig(ini, {}), clock, log, lifetime, tracing })
  const domainEvents = new DomainEvents(log)
  const { sweep } = composeRecords({
    stores,
    ownerOf: async () => null,
    files: { sweep: async () => {} },
    documents: { save: async () => {} },
    domainEvents,
    clock,
    log,
  })
  onTestFinished(async () => {
    await lifetime.close()
    rmSync(dir, { recursive: true })
  })
  /** A file of a job that has failed long ago. */
  const orphan = async () => {
    const jobId = await leaseJob(stores.jobs, time.now)
    const { id } = await upload(stores.blobs, Buffer.from('video'), { jobId })
    await endJob(stores.jobs, jobId, 'failed', time.now)
    time.now += 2 * 86_400
    return id
  }
  return { dir, lines, stores, sweep, orphan, time }
}

it('sweeps files of jobs that failed, and logs how many but not which', async () => {
  const { lines, sweep, orphan } = await open()
  await sweep()
  expect(lines).toEqual([])

  const id = await orphan()
  await sweep()
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'warn', msg: 'orphaned files were removed', abandoned: 0, lost: 0, stray: 0, unclaimed: 1 },
  ])
  expect(lines.join()).not.toContain(id)
})

it('removes all other files when one cannot be removed', async () => {
  const { dir, stores, sweep, orphan, time } = await open()
  const { blobs, recordings, recordingRemovals } = stores
  const files = []
  for (const job of ['1', '2']) {
    const { id } = await upload(blobs, Buffer.from(job))
    await recordings.add(recordOf(job, [id]))
    await recordingRemovals.begin(job, time.now)
    files.push(id)
  }
  const [stuck, removed] = files as [string, string]
  const orphans = [await orphan(), await orphan()].sort()
  for (const id of [stuck, orphans[0] as string]) {
    const path = new Layout(join(dir, 'blobs')).path(id)
    rmSync(path)
    mkdirSync(path) // as with a file that the file system does not delete
  }
  await expect(sweep()).rejects.toThrow('directory')
  expect((await recordingRemovals.listPending()).map(({ jobId }) => jobId)).toEqual(['1'])
  for (const id of [removed, orphans[1] as string])
    expect(existsSync(new Layout(join(dir, 'blobs')).path(id)), id).toBe(false)
})

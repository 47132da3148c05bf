import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeJobStore } from '../../jobs/testing/jobs.contract.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { jobStore } from '../jobs.ts'
import { openMainStore } from '../open.ts'

const dir = mkdtempSync(join(tmpdir(), 'lectern-job-store-'))
const lifetime = new Lifetime(createLog('silent'))
lifetime.own('folder', dir, () => rmSync(dir, { recursive: true }))
afterAll(lifetime.close)

let files = 0
const openFile = async (file: string) =>
  jobStore(lifetime.own('store', await openMainStore(file), store => store.close()).db)

// The first one is not closed before, as after a kill -9.
describeJobStore(async () => {
  const file = join(dir, `${++files}.db`)
  return { store: await openFile(file), reopen: () => openFile(file) }
})

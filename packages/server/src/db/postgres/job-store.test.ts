import { afterAll } from 'vitest'
import { describeJobStore } from '../../jobs/testing/jobs.contract.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { jobStore } from '../jobs.ts'
import { openMainStore } from '../open.ts'

const lifetime = new Lifetime(createLog('silent'))
afterAll(lifetime.close)

const open = async (url: string) =>
  jobStore(lifetime.own('store', await openMainStore(url), store => store.close()).db)

// The first one is not closed before, as after a kill -9.
describeJobStore(async () => {
  const { url } = lifetime.own('database', await createTestDatabase(), database => database.drop())
  return { store: await open(url), reopen: () => open(url) }
})

import { afterAll } from 'vitest'
import { createDatabaseClock } from '../../cluster/testing/database-clock.ts'
import { describeLeaseStore } from '../../cluster/testing/leases.contract.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { chatStore } from '../chat.ts'
import { sessionStore } from '../conference-sessions.ts'
import { jobStore } from '../jobs.ts'
import { openMainStore } from '../open.ts'
import { leaseStore } from '../session-leases.ts'

const lifetime = new Lifetime(createLog('silent'))
afterAll(lifetime.close)

describeLeaseStore(async () => {
  const { url } = lifetime.own('database', await createTestDatabase(), database => database.drop())
  const { db } = lifetime.own('store', await openMainStore(url), store => store.close())
  const { nowMs, pass } = await createDatabaseClock(db as never)
  const [leases, sessions] = [leaseStore(db, nowMs), sessionStore(db)]
  return { leases, sessions, chat: chatStore(db), jobs: jobStore(db), pass }
})

import { describeJobStore } from '../../jobs/testing/jobs.contract.ts'
import { sessionStore } from '../conference-sessions.ts'
import { jobStore } from '../jobs.ts'
import type { TestStores } from './test-stores.ts'

export function describeJobStores({ main, reopenMain }: TestStores): void {
  describeJobStore(async () => {
    const db = await main()
    return {
      store: jobStore(db),
      sessions: sessionStore(db),
      reopen: async () => jobStore(await reopenMain()),
    }
  })
}

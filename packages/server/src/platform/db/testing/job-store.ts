import { describeJobStore } from '../../../records/jobs/testing/jobs.contract.ts'
import { jobStore } from '../../../records/stores/jobs.ts'
import { sessionStore } from '../../../sessions/stores/conference-sessions.ts'
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

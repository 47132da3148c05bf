import { describeJobStore } from '../../jobs/testing/jobs.contract.ts'
import { jobStore } from '../jobs.ts'
import type { TestStores } from './test-stores.ts'

export function describeJobStores({ main, reopenMain }: TestStores): void {
  describeJobStore(async () => ({
    store: jobStore(await main()),
    reopen: async () => jobStore(await reopenMain()),
  }))
}

import { describeJobStores } from '../testing/job-store.ts'
import { postgresStores } from '../testing/test-stores.ts'

describeJobStores(postgresStores())

import { describeJobStores } from '../testing/job-store.ts'
import { sqliteStores } from '../testing/test-stores.ts'

describeJobStores(sqliteStores())

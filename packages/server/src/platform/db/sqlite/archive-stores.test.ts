import { describeArchiveStores } from '../testing/archive-stores.ts'
import { sqliteStores } from '../testing/test-stores.ts'

describeArchiveStores(sqliteStores())

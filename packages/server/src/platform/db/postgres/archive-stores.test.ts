import { describeArchiveStores } from '../testing/archive-stores.ts'
import { postgresStores } from '../testing/test-stores.ts'

describeArchiveStores(postgresStores())

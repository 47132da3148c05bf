import { describeStores } from '../testing/stores.ts'
import { postgresStores } from '../testing/test-stores.ts'

describeStores(postgresStores())

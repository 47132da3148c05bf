import { describeStores } from '../testing/stores.ts'
import { sqliteStores } from '../testing/test-stores.ts'

describeStores(sqliteStores())

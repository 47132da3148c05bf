import { describeMessageStores } from '../testing/messaging-stores.ts'
import { sqliteStores } from '../testing/test-stores.ts'

describeMessageStores(sqliteStores())

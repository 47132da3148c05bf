import { describeCallSupervision } from '../testing/call-supervision.ts'
import { sqliteStores } from '../testing/test-stores.ts'

describeCallSupervision(sqliteStores())

import { describeCallSupervision } from '../testing/call-supervision.ts'
import { postgresStores } from '../testing/test-stores.ts'

describeCallSupervision(postgresStores())

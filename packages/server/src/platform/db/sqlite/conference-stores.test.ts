import { describeConferenceStores } from '../testing/conference-stores.ts'
import { sqliteStores } from '../testing/test-stores.ts'

describeConferenceStores(sqliteStores())

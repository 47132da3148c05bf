import { describeConferenceStores } from '../testing/conference-stores.ts'
import { postgresStores } from '../testing/test-stores.ts'

describeConferenceStores(postgresStores())

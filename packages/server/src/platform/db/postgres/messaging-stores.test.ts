import { describeMessageStores } from '../testing/messaging-stores.ts'
import { postgresStores } from '../testing/test-stores.ts'

describeMessageStores(postgresStores())

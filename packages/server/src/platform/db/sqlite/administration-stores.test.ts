import { describeAdministrationStores } from '../testing/administration-stores.ts'
import { sqliteStores } from '../testing/test-stores.ts'

describeAdministrationStores(sqliteStores())

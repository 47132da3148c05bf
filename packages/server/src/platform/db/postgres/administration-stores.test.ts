import { describeAdministrationStores } from '../testing/administration-stores.ts'
import { postgresStores } from '../testing/test-stores.ts'

describeAdministrationStores(postgresStores())

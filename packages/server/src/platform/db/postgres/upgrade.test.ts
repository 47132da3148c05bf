import { afterAll } from 'vitest'
import { createEmptyDatabase } from '../../../testing/database.ts'
import { Lifetime } from '../../lifetime.ts'
import { createLog } from '../../log.ts'
import { describeFormerNames } from '../testing/former-names.ts'
import { openPostgres } from './open.ts'

const lifetime = new Lifetime(createLog('silent'))
afterAll(lifetime.close)

describeFormerNames(
  async () => lifetime.own('database', await createEmptyDatabase(), database => database.drop()).url,
  url => openPostgres({ url, schema: 'lectern', maxConnections: 2 }),
)

import type { Kysely } from 'kysely'
import type { SampleStore } from '../admin/ports.ts'
import type { MainSchema } from './schema.ts'

export const sampleStore = (db: Kysely<MainSchema>): SampleStore => ({
  add: async (sample, keepFromMs) => {
    await db
      .insertInto('samples')
      .values(sample as never)
      .onConflict(conflict => conflict.column('at_ms').doUpdateSet(sample as never))
      .execute()
    await db.deleteFrom('samples').where('at_ms', '<', keepFromMs).execute()
  },
  list: fromMs =>
    db.selectFrom('samples').selectAll().where('at_ms', '>=', fromMs).orderBy('at_ms').execute(),
})

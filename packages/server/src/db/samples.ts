import type { Kysely } from 'kysely'
import type { Sample, SampleStore } from '../admin/ports.ts'
import type { MainSchema } from './schema.ts'

export const sampleStore = (db: Kysely<MainSchema>): SampleStore => ({
  add: async (server, sample, keepFromMs) => {
    await db
      .insertInto('server_samples')
      .values({ ...sample, server } as never)
      .onConflict(conflict => conflict.columns(['server', 'at_ms']).doUpdateSet(sample as never))
      .execute()
    await db.deleteFrom('server_samples').where('at_ms', '<', keepFromMs).execute()
  },
  list: async fromMs => {
    const rows = await db
      .selectFrom('server_samples')
      .selectAll()
      .where('at_ms', '>=', fromMs)
      .orderBy('server')
      .orderBy('at_ms')
      .execute()
    const samples = new Map<string, Sample[]>()
    for (const { server, ...sample } of rows) samples.set(server, [...(samples.get(server) ?? []), sample])
    return samples
  },
})

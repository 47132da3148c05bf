import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { Sample } from '../admin/ports.ts'

export type SampleStore = ReturnType<typeof sampleStore>

export const sampleStore = (db: Kysely<MainSchema>) => ({
  /** Replaces the server's sample of the same minute, and removes all from before `keepFromMs`. */
  add: async (server: string, sample: Sample, keepFromMs: number) => {
    await db
      .insertInto('server_samples')
      .values({ ...sample, server } as never)
      .onConflict(conflict => conflict.columns(['server', 'at_ms']).doUpdateSet(sample as never))
      .execute()
    await db.deleteFrom('server_samples').where('at_ms', '<', keepFromMs).execute()
  },
  /** Samples by the name of their server; ascending. */
  list: async (fromMs: number): Promise<Map<string, Sample[]>> => {
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

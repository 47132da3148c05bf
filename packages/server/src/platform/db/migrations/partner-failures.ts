import type { Migration } from '../migrate.ts'

/** When an endpoint failed last: a pause in which nothing was sent to it is no failure. */
export const failuresOfEndpoints: Migration = async db => {
  await db.schema.alterTable('partner_endpoints').addColumn('last_failure_at_ms', 'bigint').execute()
}

import type { Kysely } from 'kysely'
import type { PartnerLists } from '../../admin/ports.ts'
import type { IntegrationSchema } from '../schema.ts'
import { contains, olderThan } from '../search.ts'
import { RECORD, toRecord } from './delivery-rows.ts'
import { toRoom } from './rooms.ts'
import { toAccount } from './service-accounts.ts'

export function partnerLists(db: Kysely<IntegrationSchema>): PartnerLists {
  return {
    serviceAccounts: async ({ search }, { after, limit }) => {
      const rows = await db
        .selectFrom('service_accounts')
        .selectAll()
        .$if(after !== undefined, query => query.where('name', '>', after as string))
        .$if(search !== undefined, query => query.where(contains(db, ['name'], search ?? '')))
        .orderBy('name')
        .limit(limit)
        .execute()
      return rows.map(toAccount)
    },
    rooms: async ({ search, status }, { before, limit }) => {
      const rows = await db
        .selectFrom('rooms')
        .selectAll()
        .$if(before !== undefined, query => query.where('room_id', '<', before as number))
        .$if(status !== undefined, query => query.where('status', '=', status as string))
        .$if(search !== undefined, query =>
          query.where(contains(db, ['title', 'external_id', 'tag'], search ?? '')),
        )
        .orderBy('room_id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRoom)
    },
    deliveries: async ({ status }, { before, limit }) => {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(RECORD)
        .$if(status !== undefined, query => query.where('status', '=', status as string))
        .$if(before !== undefined, query => query.where(olderThan('created_at', before)))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },
  }
}

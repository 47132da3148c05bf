import type { Kysely } from 'kysely'
import type { IntegrationSchema } from '../../platform/db/schema.ts'
import { contains, olderThan } from '../../platform/db/search.ts'
import type { NamePage, Page, TimePage } from '../../platform/paging.ts'
import type { Delivery, DeliveryStatus, Room, ServiceAccount, StoredRoomStatus } from '../ports.ts'
import { RECORD, toRecord } from './delivery-rows.ts'
import { toRoom } from './rooms.ts'
import { toAccount } from './service-accounts.ts'

/** Lists of the partner module's store that only administrators read. */
export type PartnerLists = ReturnType<typeof partnerLists>

export function partnerLists(db: Kysely<IntegrationSchema>) {
  return {
    serviceAccounts: async (
      { search }: { search?: string | undefined },
      { after, limit }: NamePage,
    ): Promise<ServiceAccount[]> => {
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
    rooms: async (
      { search, status }: { search?: string | undefined; status?: StoredRoomStatus | undefined },
      { before, limit }: Page,
    ): Promise<Room[]> => {
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
    /** Tags of the newest rooms whose title, external id or tag contains the text. */
    findTags: async (search: string, limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('rooms')
        .select('tag')
        .where(contains(db, ['title', 'external_id', 'tag'], search))
        .orderBy('room_id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ tag }) => tag)
    },
    deliveries: async (
      { status }: { status?: DeliveryStatus | undefined },
      { before, limit }: TimePage,
    ): Promise<Omit<Delivery, 'body'>[]> => {
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

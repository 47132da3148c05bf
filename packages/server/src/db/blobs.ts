import type { Kysely, Selectable } from 'kysely'
import type { BlobIndex, BlobRow } from '../storage/ports.ts'
import type { BlobsTable, MainSchema } from './schema.ts'

const toRow = (row: Selectable<BlobsTable>): BlobRow => ({
  blob: {
    id: row.id,
    ownerId: row.owner_id,
    scope: row.scope,
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    sha256: row.sha256,
    createdAt: row.created_at,
  },
  state: row.state as BlobRow['state'],
})

/** After every hexadecimal digit. */
const PAST_HEX = 'g'

export function blobIndex(db: Kysely<MainSchema>): BlobIndex {
  return {
    add: async blob => {
      await db
        .insertInto('blobs')
        .values({
          id: blob.id,
          owner_id: blob.ownerId,
          scope: blob.scope,
          name: blob.name,
          content_type: blob.contentType,
          size: blob.size,
          sha256: blob.sha256,
          state: 'writing',
          created_at: blob.createdAt,
        })
        .execute()
    },
    find: async id => {
      const row = await db.selectFrom('blobs').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toRow(row) : null
    },
    markReady: async id => {
      await db.updateTable('blobs').set({ state: 'ready' }).where('id', '=', id).execute()
    },
    remove: async id => {
      await db.deleteFrom('blobs').where('id', '=', id).execute()
    },
    listByPrefix: async prefix => {
      const rows = await db
        .selectFrom('blobs')
        .selectAll()
        .where('id', '>=', prefix)
        .where('id', '<', prefix + PAST_HEX)
        .orderBy('id')
        .execute()
      return rows.map(toRow)
    },
    isEmpty: async () => (await db.selectFrom('blobs').select('id').limit(1).execute()).length === 0,
  }
}

import type { Migration } from '../migrate.ts'

/** Partners' decisions about the board of a room. */
export const boardsOfRooms: Migration = async db => {
  await db.schema.alterTable('rooms').addColumn('board', 'text').execute()
}

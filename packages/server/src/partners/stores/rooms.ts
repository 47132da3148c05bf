import { ROLES, type RoomSettings } from '@lectern/protocol'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { prepared, preparedByName } from '../../platform/db/prepared.ts'
import type { IntegrationSchema, RoomsTable } from '../../platform/db/schema.ts'
import { contains } from '../../platform/db/search.ts'
import type { Page } from '../../platform/paging.ts'
import type { AfterPage, NewRoom, Room, RoomContent, RoomFilter, StoredRoomStatus } from '../ports.ts'
import { groupCommit } from './group-commit.ts'

/** The columns of a room. Reading the others would add a tenth to the cost of a read. */
const ROOM_COLUMNS = [
  'room_id',
  'client_id',
  'external_id',
  'tag',
  'title',
  'description',
  'starts_at',
  'ends_at',
  'status',
  'teacher_name',
  'teacher_external_id',
  'teacher_link_version',
  'teacher_link_name',
  'student_name',
  'student_external_id',
  'student_link_version',
  'student_link_name',
  'board',
  'revision',
  'settings',
] as const

type RoomRow = Pick<Selectable<RoomsTable>, (typeof ROOM_COLUMNS)[number]>

export const toRoom = (row: RoomRow): Room => ({
  roomId: row.room_id,
  clientId: row.client_id,
  externalId: row.external_id,
  tag: row.tag,
  title: row.title,
  description: row.description,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  status: row.status as StoredRoomStatus,
  people: {
    teacher: {
      displayName: row.teacher_name,
      externalId: row.teacher_external_id,
      link: { version: row.teacher_link_version, name: row.teacher_link_name },
    },
    student: {
      displayName: row.student_name,
      externalId: row.student_external_id,
      link: { version: row.student_link_version, name: row.student_link_name },
    },
  },
  settings: row.settings === '{}' ? {} : (JSON.parse(row.settings) as Partial<RoomSettings>),
  board: (row.board ?? 'keep') as Room['board'],
  revision: row.revision,
})

const toColumns = ({ people: { teacher, student }, ...content }: RoomContent) => ({
  title: content.title,
  description: content.description,
  starts_at: content.startsAt,
  ends_at: content.endsAt,
  status: content.status,
  teacher_name: teacher.displayName,
  teacher_external_id: teacher.externalId,
  teacher_link_version: teacher.link.version,
  teacher_link_name: teacher.link.name,
  student_name: student.displayName,
  student_external_id: student.externalId,
  student_link_version: student.link.version,
  student_link_name: student.link.name,
  settings: JSON.stringify(content.settings),
  board: content.board === 'keep' ? null : content.board,
})

const [, ...VALUE_COLUMNS] = ROOM_COLUMNS
const NEW_ROOM_COLUMNS = [...VALUE_COLUMNS, 'created_at', 'updated_at'] as const

const mayRevoke = (before: Room, after: RoomContent) =>
  before.status !== after.status ||
  ROLES.some(role => before.people[role].link.version !== after.people[role].link.version)

export type RoomStore = ReturnType<typeof roomStore>

/** `onLinksChange` is called when links may have been replaced or a room closed. */
export function roomStore(db: Kysely<IntegrationSchema>, onLinksChange = () => {}) {
  const select = prepared(db, (clientId: number, externalId: string) =>
    db
      .selectFrom('rooms')
      .select(ROOM_COLUMNS)
      .where('client_id', '=', clientId)
      .where('external_id', '=', externalId),
  )
  const insert = preparedByName(db, NEW_ROOM_COLUMNS, (row: Insertable<RoomsTable>) =>
    db
      .insertInto('rooms')
      .values(row)
      .onConflict(conflict => conflict.columns(['client_id', 'external_id']).doNothing())
      .returning(ROOM_COLUMNS),
  )
  // Partners create the rooms of a timetable concurrently.
  const commit = groupCommit(db)
  const selectByTag = prepared(db, (tag: string) =>
    db.selectFrom('rooms').select(ROOM_COLUMNS).where('tag', '=', tag),
  )
  const selectOwnByTag = prepared(db, (clientId: number, tag: string) =>
    db.selectFrom('rooms').select(ROOM_COLUMNS).where('tag', '=', tag).where('client_id', '=', clientId),
  )
  const first = ([row]: RoomRow[]) => (row ? toRoom(row) : null)
  const find = (clientId: number, externalId: string) => select(clientId, externalId).then(first)
  /** The room of that owner and external_id, created if there is none; exactly one of concurrent callers creates it. */
  const findOrAdd = async (room: NewRoom, at: number): Promise<{ room: Room; created: boolean }> => {
    const row = {
      client_id: room.clientId,
      external_id: room.externalId,
      tag: room.tag,
      ...toColumns(room),
      revision: 1,
      created_at: at,
      updated_at: at,
    }
    const inserted = first(await commit(transaction => insert(row, transaction)))
    if (inserted) return { room: inserted, created: true }
    const existing = await find(room.clientId, room.externalId)
    return existing ? { room: existing, created: false } : findOrAdd(room, at) // it was deleted right now
  }
  return {
    find,
    findOrAdd,
    /** Rooms of the owner, the newest first. */
    list: async (
      clientId: number,
      { status, teacher, student, search }: RoomFilter,
      { before, limit }: Page,
    ): Promise<Room[]> => {
      const rows = await db
        .selectFrom('rooms')
        .select(ROOM_COLUMNS)
        .where('client_id', '=', clientId)
        .$if(before !== undefined, query => query.where('room_id', '<', before as number))
        .$if(status !== undefined, query => query.where('status', '=', status as string))
        .$if(teacher !== undefined, query => query.where('teacher_external_id', '=', teacher as string))
        .$if(student !== undefined, query => query.where('student_external_id', '=', student as string))
        .$if(search !== undefined, query =>
          query.where(contains(db, ['title', 'external_id', 'tag'], search ?? '')),
        )
        .orderBy('room_id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRoom)
    },
    /** Rooms of the owner, the oldest first, unless the page says otherwise. */
    listAfter: async (
      clientId: number,
      { status, search }: Pick<RoomFilter, 'status' | 'search'>,
      { after, limit, order = 'asc' }: AfterPage,
    ): Promise<Room[]> => {
      const rows = await db
        .selectFrom('rooms')
        .select(ROOM_COLUMNS)
        .where('client_id', '=', clientId)
        .$if(status !== undefined, query => query.where('status', '=', status as string))
        .$if(search !== undefined, query =>
          query.where(contains(db, ['title', 'external_id', 'tag'], search ?? '')),
        )
        .where('room_id', order === 'asc' ? '>' : '<', after)
        .orderBy('room_id', order)
        .limit(limit)
        .execute()
      return rows.map(toRoom)
    },
    /** Rooms that say how long recordings are kept, of all owners, and all rooms of these owners. */
    listWithRetention: async (
      clientIds: number[],
      { after, limit }: { after: number; limit: number },
    ): Promise<Room[]> => {
      const rows = await db
        .selectFrom('rooms')
        .select(ROOM_COLUMNS)
        .where('room_id', '>', after)
        .where(where =>
          where.or([
            where('settings', 'like', '%"keep_days":%'),
            ...(clientIds.length > 0 ? [where('client_id', 'in', clientIds)] : []),
          ]),
        )
        .orderBy('room_id')
        .limit(limit)
        .execute()
      return rows.map(toRoom)
    },
    listByTags: async (tags: string[]): Promise<Room[]> => {
      if (tags.length === 0) return []
      const rows = await db.selectFrom('rooms').select(ROOM_COLUMNS).where('tag', 'in', tags).execute()
      return rows.map(toRoom)
    },
    /** Whether the teacher or the student of any room of the owner has the external_id. */
    isInRoom: async (clientId: number, externalId: string): Promise<boolean> => {
      const row = await db
        .selectFrom('rooms')
        .select('room_id')
        .where('client_id', '=', clientId)
        .where(({ or, eb }) =>
          or([eb('teacher_external_id', '=', externalId), eb('student_external_id', '=', externalId)]),
        )
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Removes the room. Its links are unknown from then on. */
    remove: async (tag: string): Promise<void> => {
      // Other servers learn of a changed status.
      await db.updateTable('rooms').set({ status: 'closed' }).where('tag', '=', tag).execute()
      await db.deleteFrom('rooms').where('tag', '=', tag).execute()
      onLinksChange()
    },
    /** Unix seconds; 0 for a room that was deleted meanwhile. */
    changedAt: async (roomId: number): Promise<number> => {
      const row = await db
        .selectFrom('rooms')
        .select('updated_at')
        .where('room_id', '=', roomId)
        .executeTakeFirst()
      return row ? Number(row.updated_at) : 0
    },
    findByTag: (tag: string): Promise<Room | null> => selectByTag(tag).then(first),
    findOwnByTag: (clientId: number, tag: string): Promise<Room | null> =>
      selectOwnByTag(clientId, tag).then(first),
    /** Null when the room has changed since `room` was read. */
    update: async (room: Room, content: RoomContent, at: number): Promise<Room | null> => {
      const row = await db
        .updateTable('rooms')
        .set({ ...toColumns(content), revision: room.revision + 1, updated_at: at })
        .where('room_id', '=', room.roomId)
        .where('revision', '=', room.revision)
        .returning(ROOM_COLUMNS)
        .executeTakeFirst()
      if (row && mayRevoke(room, content)) onLinksChange()
      return row ? toRoom(row) : null
    },
  }
}

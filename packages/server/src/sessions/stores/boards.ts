import type { BoardRights, PageBackground } from '@lectern/protocol/control'
import { type Kysely, type Selectable, sql } from 'kysely'
import { readTogether } from '../../platform/db/read-together.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { BoardsTable } from '../../platform/db/tables/board.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type {
  BoardStore,
  DeckPage,
  ElementChange,
  PageCopy,
  PageWrite,
  SessionLease,
  StoredDeck,
} from '../ports.ts'
import { deleteBoard, elementColumns, toElement } from './board-rows.ts'
import { isFenced, lockLease } from './fencing.ts'

type Db = Kysely<MainSchema>

/** Rows of one statement, within what SQLite permits of parameters, and characters of their data. */
const ROWS_MAX = 500
const CHARACTERS_MAX = 1_048_576

const isHeld = async (db: Db, lease: SessionLease): Promise<boolean> =>
  !isFenced(lease) || (await lockLease(db, lease))

/** The boards of conferences: decks, pages and elements. */
export function boardStore(db: Db): BoardStore {
  const elementsOf = (tag: string, pageId: string) =>
    db.selectFrom('board_elements').where('tag', '=', tag).where('page_id', '=', pageId)
  const boardsOf = readTogether(
    (tags: string[]) => db.selectFrom('boards').selectAll().where('tag', 'in', tags).execute(),
    row => row.tag,
  )
  return {
    open: async (lease, tag, mode) => {
      const [board] = await boardsOf(tag)
      if (!board) return null
      if (mode === 'fresh' && board.session_id !== lease.sessionId) {
        await inTransaction(db, async db => {
          if (await isHeld(db, lease)) await deleteBoard(db, tag)
        })
        return null
      }
      const rows = await db
        .selectFrom('board_pages')
        .selectAll()
        .where('tag', '=', tag)
        .orderBy('position')
        .execute()
      const pages = rows.map(row => ({
        pageId: row.page_id,
        width: row.width,
        height: row.height,
        background: JSON.parse(row.background) as PageBackground,
        ...(row.owner_id !== null && { ownerId: row.owner_id }),
        ...(row.copy_of !== null && { copyOf: row.copy_of }),
      }))
      const slides = slidesIn(board)
      const rights = JSON.parse(board.rights) as BoardRights
      return { pages, shownPageId: board.shown_page_id, rights, ...(slides && { slides }) }
    },
    save: (lease, tag, deck, copies = []) =>
      inTransaction(db, async db => {
        if (!(await isHeld(db, lease))) return false
        await saveDeck(db, tag, lease.sessionId, deck)
        for (const copy of copies) await copyPage(db, tag, copy)
        return true
      }),
    readPage: async (tag, pageId) => {
      const rows = await elementsOf(tag, pageId).selectAll().where('deleted_at_ms', 'is', null).execute()
      const deleted = await elementsOf(tag, pageId)
        .select(['element_id', 'version', 'author_id', 'change'])
        .select(sql<number>`length(data)`.as('size'))
        .where('deleted_at_ms', 'is not', null)
        .orderBy('deleted_at_ms')
        .orderBy('element_id')
        .execute()
      return {
        elements: rows.map(toElement),
        deleted: deleted.map(row => ({
          elementId: row.element_id,
          version: row.version,
          authorId: row.author_id,
          change: row.change,
          size: row.size,
        })),
      }
    },
    drawnPages: async (tag, pageIds) => {
      if (pageIds.length === 0) return new Set()
      const rows = await db
        .selectFrom('board_elements')
        .select('page_id')
        .distinct()
        .where('tag', '=', tag)
        .where('page_id', 'in', pageIds)
        .where('deleted_at_ms', 'is', null)
        .execute()
      return new Set(rows.map(({ page_id }) => page_id))
    },
    filesShown: async tag => {
      const rows = await db
        .selectFrom('board_pages')
        .select('background')
        .distinct()
        .where('tag', '=', tag)
        .execute()
      const backgrounds = rows.map(({ background }) => JSON.parse(background) as PageBackground)
      return new Set(backgrounds.flatMap(each => ('file_id' in each ? each.file_id : [])))
    },
    readDeleted: async (tag, pageId, elementIds) => {
      const rows = await elementsOf(tag, pageId)
        .selectAll()
        .where('element_id', 'in', elementIds)
        .where('deleted_at_ms', 'is not', null)
        .execute()
      return rows.map(toElement)
    },
    write: writes =>
      inTransaction(db, async db => {
        const held = new Map<string, boolean>()
        const results: boolean[] = []
        for (const write of writes) {
          const known = held.get(write.tag) ?? (await hasBoard(db, write))
          held.set(write.tag, known)
          if (known) for (const change of write.changes) await apply(db, write, change)
          results.push(known)
        }
        return results
      }),
  }
}

const slidesIn = ({ slides_file_id, slides_page_count }: Selectable<BoardsTable>) =>
  slides_file_id === null ? undefined : { fileId: slides_file_id, pageCount: slides_page_count }

/** The board stays until the end of the transaction, as does the lease. */
async function hasBoard(db: Db, { lease, tag }: PageWrite): Promise<boolean> {
  if (!(await isHeld(db, lease))) return false
  const { numUpdatedRows } = await db
    .updateTable('boards')
    .set({ session_id: lease.sessionId })
    .where('tag', '=', tag)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function saveDeck(db: Db, tag: string, sessionId: number, deck: StoredDeck): Promise<void> {
  const board = {
    session_id: sessionId,
    shown_page_id: deck.shownPageId,
    rights: JSON.stringify(deck.rights),
    slides_file_id: deck.slides?.fileId ?? null,
    slides_page_count: deck.slides?.pageCount ?? 0,
  }
  await db
    .insertInto('boards')
    .values({ tag, ...board })
    .onConflict(conflict => conflict.column('tag').doUpdateSet(board))
    .execute()
  await db.deleteFrom('board_pages').where('tag', '=', tag).execute()
  await db
    .insertInto('board_pages')
    .values(deck.pages.map((page, position) => pageColumns(tag, page, position)))
    .execute()
  const pageIds = deck.pages.map(({ pageId }) => pageId)
  await db.deleteFrom('board_elements').where('tag', '=', tag).where('page_id', 'not in', pageIds).execute()
}

const pageColumns = (tag: string, page: DeckPage, position: number) => ({
  tag,
  page_id: page.pageId,
  position,
  width: page.width,
  height: page.height,
  background: JSON.stringify(page.background),
  owner_id: page.ownerId ?? null,
  copy_of: page.copyOf ?? null,
})

/** Copies the present elements. The copy is complete already if this is a repetition. */
async function copyPage(db: Db, tag: string, { from, to }: PageCopy): Promise<void> {
  await db
    .insertInto('board_elements')
    .columns([
      ...['tag', 'page_id', 'element_id', 'version', 'author_id', 'kind', 'data', 'z'],
      ...['change', 'deleted_at_ms'],
    ] as never[])
    .expression(
      db
        .selectFrom('board_elements')
        .select([
          'tag',
          sql<string>`CAST(${to} AS TEXT)`.as('page_id'),
          ...([
            'element_id',
            'version',
            'author_id',
            'kind',
            'data',
            'z',
            'change',
            'deleted_at_ms',
          ] as const),
        ])
        .where('tag', '=', tag)
        .where('page_id', '=', from)
        .where('deleted_at_ms', 'is', null),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

async function apply(db: Db, { tag, pageId }: PageWrite, change: ElementChange): Promise<void> {
  switch (change.is) {
    case 'put':
      for (const rows of chunksOf(change.elements.map(each => elementColumns(tag, pageId, each))))
        await upsert(db, rows)
      return
    case 'deleted': {
      // Mostly of a few versions, and made by one change.
      const groups = Map.groupBy(change.elements, each => `${each.version} ${each.change}`)
      for (const group of groups.values())
        for (let i = 0; i < group.length; i += ROWS_MAX)
          await markDeleted(db, { tag, pageId }, group.slice(i, i + ROWS_MAX), change.atMs)
      return
    }
    case 'forgotten':
      for (let i = 0; i < change.elementIds.length; i += ROWS_MAX)
        await db
          .deleteFrom('board_elements')
          .where('tag', '=', tag)
          .where('page_id', '=', pageId)
          .where('element_id', 'in', change.elementIds.slice(i, i + ROWS_MAX))
          .where('deleted_at_ms', 'is not', null)
          .execute()
  }
}

type ElementRow = ReturnType<typeof elementColumns>

async function upsert(db: Db, rows: ElementRow[]): Promise<void> {
  await db
    .insertInto('board_elements')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['tag', 'page_id', 'element_id'])
        .doUpdateSet(({ ref }) => ({
          version: ref('excluded.version'),
          kind: ref('excluded.kind'),
          data: ref('excluded.data'),
          z: ref('excluded.z'),
          change: ref('excluded.change'),
          deleted_at_ms: ref('excluded.deleted_at_ms'),
        }))
        .whereRef('excluded.version', '>', 'board_elements.version'),
    )
    .execute()
}

async function markDeleted(
  db: Db,
  { tag, pageId }: Pick<PageWrite, 'tag' | 'pageId'>,
  elements: { elementId: string; version: number; change: string }[],
  atMs: number,
): Promise<void> {
  const { version = 0, change = '' } = elements[0] ?? {}
  await db
    .updateTable('board_elements')
    .set({ version, change, deleted_at_ms: atMs })
    .where('tag', '=', tag)
    .where('page_id', '=', pageId)
    .where(
      'element_id',
      'in',
      elements.map(({ elementId }) => elementId),
    )
    .where('version', '<', version)
    .execute()
}

function* chunksOf(rows: ElementRow[]): Generator<ElementRow[]> {
  let chunk: ElementRow[] = []
  let characters = 0
  for (const row of rows) {
    if (chunk.length > 0 && (chunk.length === ROWS_MAX || characters + row.data.length > CHARACTERS_MAX)) {
      yield chunk
      chunk = []
      characters = 0
    }
    chunk.push(row)
    characters += row.data.length
  }
  if (chunk.length > 0) yield chunk
}

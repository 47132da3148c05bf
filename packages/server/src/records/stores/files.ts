import type { ConversionFailure, FilePurpose } from '@lectern/protocol'
import type { ChatFile } from '@lectern/protocol/control'
import { type Kysely, type Selectable, sql } from 'kysely'
import { readTogether } from '../../platform/db/read-together.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { ConferenceFilesTable } from '../../platform/db/tables/files.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type {
  ConferenceFile,
  DocumentPage,
  FileState,
  MessageKey,
  NewDocumentPage,
  NewFile,
  PagePart,
} from '../ports.ts'

const toFile = (row: Selectable<ConferenceFilesTable>): ConferenceFile => ({
  id: row.id,
  conferenceTag: row.conference_tag,
  sessionId: row.conference_session_id,
  userId: row.user_id,
  displayName: row.display_name,
  name: row.name,
  contentType: row.content_type,
  size: row.size,
  purpose: row.purpose as FilePurpose,
  state: row.state as FileState,
  failure: row.failure as ConversionFailure | null,
  pageCount: row.page_count,
  createdAtMs: row.created_at_ms,
  chatId: row.chat_id,
})

/** MUST equal the condition of the index literally. */
const isUnfinished = sql<boolean>`state IN ('uploading', 'converting', 'removing')`

export type FileStore = ReturnType<typeof fileStore>

/** Files of conferences, and the pages of documents. */
export function fileStore(db: Kysely<MainSchema>) {
  const isThere = (id: string) =>
    db.selectFrom('conference_files').select('id').where('id', '=', id).where('state', '<>', 'removing')
  /** False: the file is not in that state. */
  const change = async (id: string, from: FileState[], changes: Partial<ConferenceFilesTable>) => {
    const { numUpdatedRows } = await db
      .updateTable('conference_files')
      .set(changes)
      .where('id', '=', id)
      .where('state', 'in', from)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }
  const roomSlidesOf = readTogether(
    (tags: string[]) =>
      db
        .selectFrom('conference_files')
        .selectAll()
        .where('conference_tag', 'in', tags)
        .where('conference_session_id', '=', 0)
        .where('purpose', '=', 'slides')
        .where('state', 'not in', ['uploading', 'removing'])
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    row => row.conference_tag,
  )
  return {
    /** Adds a file in the state `uploading`. */
    add: async (id: string, file: NewFile) => {
      await db
        .insertInto('conference_files')
        .values({
          id,
          conference_tag: file.conferenceTag,
          conference_session_id: file.sessionId,
          user_id: file.userId,
          display_name: file.displayName,
          name: file.name,
          content_type: '',
          size: file.size,
          purpose: file.purpose,
          state: 'uploading',
          created_at_ms: file.createdAtMs,
          chat_id: file.chatId,
        })
        .execute()
    },

    find: async (id: string): Promise<ConferenceFile | null> => {
      if (id.includes('\0')) return null // PostgreSQL has no such text
      const row = await db.selectFrom('conference_files').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toFile(row) : null
    },

    /** The newest complete files of a conference, oldest first. */
    list: async (tag: string, limit: number): Promise<ConferenceFile[]> => {
      const rows = await db
        .selectFrom('conference_files')
        .selectAll()
        .where('conference_tag', '=', tag)
        .where('state', 'not in', ['uploading', 'removing'])
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.reverse().map(toFile)
    },

    /** Slides that were put from outside of a session, the newest first. */
    listRoomSlides: async (tag: string): Promise<ConferenceFile[]> => {
      return (await roomSlidesOf(tag)).map(toFile)
    },

    /**
     * Complete files and their bytes of a purpose in a session of a conference, or in a conversation since that time, and
     * beside them the unfinished ones of the account; and the bytes of the account since then.
     */
    usage: async ({ conferenceTag, sessionId, userId, purpose, chatId }: NewFile, sinceMs: number) => {
      const bytesOf = sql<number>`CAST(COALESCE(SUM(size), 0) AS BIGINT)`.as('bytes')
      const space = async (isUnfinished: boolean) => {
        const { files, bytes } = await db
          .selectFrom('conference_files')
          .select([bytesOf, eb => eb.fn.countAll<number>().as('files')])
          .where('conference_tag', '=', conferenceTag)
          .where('conference_session_id', '=', sessionId)
          .where('purpose', '=', purpose)
          .$if(isUnfinished, query => query.where('state', '=', 'uploading').where('user_id', '=', userId))
          .$if(!isUnfinished, query => query.where('state', 'not in', ['uploading', 'removing']))
          .$if(sessionId === 0 && chatId !== null, query =>
            query.where('chat_id', '=', chatId).where('created_at_ms', '>=', sinceMs),
          )
          .executeTakeFirstOrThrow()
        return { files: Number(files), bytes: Number(bytes) }
      }
      const account = await db
        .selectFrom('conference_files')
        .select(bytesOf)
        .where('user_id', '=', userId)
        .where('created_at_ms', '>=', sinceMs)
        .executeTakeFirstOrThrow()
      const ownUnfinished = await space(true)
      return { ...(await space(false)), ownUnfinished, accountBytes: Number(account.bytes) }
    },

    /** The upload is complete. False: it was before, or the file is being removed. */
    complete: (id: string, contentType: string, state: 'stored' | 'converting'): Promise<boolean> =>
      change(id, ['uploading'], { content_type: contentType, state }),

    /** False: it was before, or the file is being removed. */
    endConversion: (
      id: string,
      end: { state: 'ready' | 'failed'; failure: ConversionFailure | null; pageCount: number | null },
    ): Promise<boolean> =>
      change(id, ['converting'], { state: end.state, failure: end.failure, page_count: end.pageCount }),

    /** Gives a stored file to a message of its sender, once; repeated, again. Null: there is no such file. */
    claim: async (id: string, { chatId, userId, commandId }: MessageKey): Promise<ChatFile | null> => {
      const row = await db
        .updateTable('conference_files')
        .set({ command_id: commandId })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('chat_id', '=', chatId)
        .where('state', '=', 'stored')
        .where(where => where.or([where('command_id', 'is', null), where('command_id', '=', commandId)]))
        .returning(['id as file_id', 'name', 'content_type', 'size'])
        .executeTakeFirst()
      return row ?? null
    },

    /** Stores a page and its blobs; of repetitions the first one counts. False: it was there, or the file is gone. */
    addPage: (fileId: string, page: NewDocumentPage, pageCount: number): Promise<boolean> =>
      inTransaction(db, async transaction => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('document_pages')
          .columns(['file_id', 'page_number', 'width', 'height', 'failure'])
          .expression(
            isThere(fileId)
              .clearSelect()
              .select([
                'id as file_id',
                sql<number>`CAST(${page.pageNumber} AS INTEGER)`.as('page_number'),
                sql<number>`CAST(${page.width} AS INTEGER)`.as('width'),
                sql<number>`CAST(${page.height} AS INTEGER)`.as('height'),
                sql<string | null>`CAST(${page.failure} AS TEXT)`.as('failure'),
              ]),
          )
          .onConflict(conflict => conflict.columns(['file_id', 'page_number']).doNothing())
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows !== 1n) return false
        const blobs = Object.entries(page.blobIds).map(([part, blob_id]) => ({
          blob_id,
          file_id: fileId,
          page_number: page.pageNumber,
          part,
        }))
        if (blobs.length > 0) await transaction.insertInto('document_blobs').values(blobs).execute()
        await transaction
          .updateTable('conference_files')
          .set({ page_count: pageCount })
          .where('id', '=', fileId)
          .execute()
        return true
      }),

    pages: async (fileId: string): Promise<DocumentPage[]> => {
      const rows = await db
        .selectFrom('document_pages')
        .selectAll()
        .where('file_id', '=', fileId)
        .orderBy('page_number')
        .execute()
      return rows.map(row => ({
        pageNumber: row.page_number,
        width: row.width,
        height: row.height,
        failure: row.failure as ConversionFailure | null,
      }))
    },

    findPart: async (fileId: string, pageNumber: number, part: PagePart): Promise<string | null> => {
      const row = await db
        .selectFrom('document_blobs')
        .select('blob_id')
        .where('file_id', '=', fileId)
        .where('page_number', '=', pageNumber)
        .where('part', '=', part)
        .executeTakeFirst()
      return row?.blob_id ?? null
    },

    /** Another blob has the content of the file from now on. False: one has it already, or the file is gone. */
    replaceContent: (fileId: string, blobId: string, size: number): Promise<boolean> =>
      inTransaction(db, async transaction => {
        const { numUpdatedRows } = await transaction
          .updateTable('conference_files')
          .set({ size })
          .where('id', '=', fileId)
          .where('state', '=', 'uploading')
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) return false
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('document_blobs')
          .values({ blob_id: blobId, file_id: fileId, page_number: 0, part: 'content' })
          .onConflict(conflict => conflict.columns(['file_id', 'page_number', 'part']).doNothing())
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n
      }),

    /** Files that began before that time, whose content is in another blob while their own is still there. */
    listReplaced: async (beforeMs: number, limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('document_blobs as part')
        .innerJoin('conference_files as file', 'file.id', 'part.file_id')
        .innerJoin('blobs as blob', 'blob.id', 'part.file_id')
        .select('file.id')
        .where('part.part', '=', 'content')
        .where('file.created_at_ms', '<', beforeMs)
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** False: there is no such file, or it is being removed already. */
    beginRemoval: (id: string): Promise<boolean> =>
      change(id, ['uploading', 'stored', 'converting', 'ready', 'failed'], { state: 'removing' }),

    /** Files of conferences that were removed. */
    beginRemovalOfRemoved: async () => {
      await db
        .updateTable('conference_files')
        .set({ state: 'removing' })
        .where('state', '<>', 'removing')
        .where('conference_tag', 'in', eb =>
          eb.selectFrom('conferences').select('tag').where('removed', '=', 1),
        )
        .execute()
    },

    /** Files in chats that were uploaded before that time, and that no message has any more, or ever had. */
    beginRemovalOfUnsent: async (beforeMs: number) => {
      await db
        .updateTable('conference_files')
        .set({ state: 'removing' })
        .where('purpose', '=', 'chat_file')
        .where('state', '=', 'stored')
        .where('created_at_ms', '<', beforeMs)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('chat_messages as message')
                .select('message.id')
                .whereRef('message.chat_id', '=', 'conference_files.chat_id')
                .whereRef('message.user_id', '=', 'conference_files.user_id')
                .whereRef('message.command_id', '=', 'conference_files.command_id')
                .where('message.deleted_at_ms', 'is', null),
            ),
          ),
        )
        .execute()
    },

    blobsOf: async (id: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('document_blobs')
        .select('blob_id')
        .distinct()
        .where('file_id', '=', id)
        .execute()
      return rows.map(row => row.blob_id)
    },

    /** Removes the rows, after the blobs. */
    remove: async (id: string) => {
      await db.deleteFrom('document_blobs').where('file_id', '=', id).execute()
      await db.deleteFrom('document_pages').where('file_id', '=', id).execute()
      await db.deleteFrom('conference_files').where('id', '=', id).execute()
    },

    /** Files that are neither complete nor gone, oldest first: for the sweep. */
    listUnfinished: async (limit: number): Promise<ConferenceFile[]> => {
      const rows = await db
        .selectFrom('conference_files')
        .selectAll()
        .where(isUnfinished)
        .orderBy('created_at_ms')
        .limit(limit)
        .execute()
      return rows.map(toFile)
    },
  }
}

import type { ChatFile } from '@lectern/protocol/control'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChatMessagesTable, MainSchema } from '../../platform/db/schema.ts'
import type { NewMessage, StoredMessage } from '../ports.ts'

export const toMessage = (row: Selectable<ChatMessagesTable>): StoredMessage => ({
  messageId: row.id,
  chatId: row.chat_id,
  userId: row.user_id,
  commandId: row.command_id,
  displayName: row.display_name,
  ...(row.by_moderator === 1 && { isByModerator: true }),
  text: row.text,
  ...(row.file !== null && { file: JSON.parse(row.file) as ChatFile }),
  sentAtMs: row.sent_at_ms,
  editedAtMs: row.edited_at_ms,
  isDeleted: row.deleted_at_ms !== null,
})

export const toColumns = (message: NewMessage) => ({
  chat_id: message.chatId,
  user_id: message.userId,
  command_id: message.commandId,
  display_name: message.displayName,
  by_moderator: message.isByModerator ? 1 : 0,
  text: message.text,
  file: fileColumn(message),
  sent_at_ms: message.sentAtMs,
})

export const fileColumn = ({ file }: NewMessage): string | null => (file ? JSON.stringify(file) : null)

/** The size of a message in a page: its names and its text. */
export const sizeOfMessage = sql<number>`octet_length(text) + octet_length(display_name) + COALESCE(octet_length(file), 0)`

/** The number of leading rows that fit, at least one. */
export function fitting(rows: readonly { bytes: number }[], maxBytes: number): number {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    bytes += row.bytes
    return i > 0 && bytes > maxBytes
  })
  return end < 0 ? rows.length : end
}

/** Held while messages of the chat get their ids: nobody reads a message before those with smaller ids are stored. */
export const chatLock = (chatId: string): string => `chat ${chatId}`

/** Leaves the place of a message. Null: it was deleted before, or is not in the chat. */
export const deleteMessage = (db: Kysely<MainSchema>, chatId: string, id: number, atMs: number) =>
  changeMessage(db, chatId, id, { text: '', file: null, deleted_at_ms: atMs })

/** Null: it was deleted, or is not in the chat. */
export async function changeMessage(
  db: Kysely<MainSchema>,
  chatId: string,
  id: number,
  changes: Partial<Pick<ChatMessagesTable, 'text' | 'file' | 'edited_at_ms' | 'deleted_at_ms'>>,
): Promise<StoredMessage | null> {
  const row = await db
    .updateTable('chat_messages')
    .set(changes)
    .where('id', '=', id)
    .where('chat_id', '=', chatId)
    .where('deleted_at_ms', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row ? toMessage(row) : null
}

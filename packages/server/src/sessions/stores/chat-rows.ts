import type { Selectable } from 'kysely'
import type { ChatMessagesTable } from '../../platform/db/schema.ts'
import type { NewMessage, StoredMessage } from '../ports.ts'

export const toMessage = (row: Selectable<ChatMessagesTable>): StoredMessage => ({
  messageId: row.id,
  chatId: row.chat_id,
  userId: row.user_id,
  commandId: row.command_id,
  displayName: row.display_name,
  text: row.text,
  sentAtMs: row.sent_at_ms,
  editedAtMs: row.edited_at_ms,
  isDeleted: row.deleted_at_ms !== null,
})

export const toColumns = (message: NewMessage) => ({
  chat_id: message.chatId,
  user_id: message.userId,
  command_id: message.commandId,
  display_name: message.displayName,
  text: message.text,
  sent_at_ms: message.sentAtMs,
})

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

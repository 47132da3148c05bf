import type { Kysely } from 'kysely'
import { prepared } from '../../platform/db/prepared.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { MessageKey, PageSize, StoredMessage } from '../../sessions/ports.ts'
import {
  changeMessage,
  chatLock,
  deleteMessage,
  fitting,
  sizeOfMessage,
  toMessage,
} from '../../sessions/stores/chat-rows.ts'
import type { AppendResult, DecideRelation, Draft, MessagePage } from '../ports.ts'
import { appendDraft } from './append.ts'
import { relationLocks } from './relations.ts'

/** Messages and the positions of their readers. */
export type MessageStore = ReturnType<typeof messageStore>

/** `isPushEnabled`: new messages are remembered in the outbox of push notifications, in the same transaction. */
export function messageStore(db: Kysely<MainSchema>, { isPushEnabled }: { isPushEnabled: boolean }) {
  const byKey = prepared(db, (chatId: string, userId: number, commandId: string) =>
    db
      .selectFrom('chat_messages')
      .selectAll()
      .where('chat_id', '=', chatId)
      .where('user_id', '=', userId)
      .where('command_id', '=', commandId),
  )
  const byId = prepared(db, (chatId: string, id: number) =>
    db.selectFrom('chat_messages').selectAll().where('chat_id', '=', chatId).where('id', '=', id),
  )
  return {
    /**
     * Stores drafts in one transaction, in their order, each once for its key: a repeated one has the message that is
     * stored. The sender has read everything before it. `decide` decides about direct messages. One that is refused leaves
     * no trace.
     */
    append: (drafts: Draft[], decide: DecideRelation): Promise<AppendResult[]> =>
      inTransaction(
        db,
        async transaction => {
          const results = []
          const options = { decide, isForPush: isPushEnabled }
          for (const draft of drafts) results.push(await appendDraft(transaction, draft, options))
          return results
        },
        drafts.flatMap(({ chat }) => [
          chatLock(chat.id),
          ...(chat.kind === 'direct' ? relationLocks(chat.userIds) : []),
        ]),
      ),
    find: async ({ chatId, userId, commandId }: MessageKey): Promise<StoredMessage | null> => {
      const [row] = await byKey(chatId, userId, commandId)
      return row ? toMessage(row) : null
    },
    get: async (chatId: string, messageId: number): Promise<StoredMessage | null> => {
      const [row] = await byId(chatId, messageId)
      return row ? toMessage(row) : null
    },
    /** Null when it was deleted, or is not in the chat. */
    edit: (chatId: string, messageId: number, text: string, atMs: number): Promise<StoredMessage | null> =>
      changeMessage(db, chatId, messageId, { text, edited_at_ms: atMs }),
    /** Removes text and file. Null when it was deleted, or is not in the chat. */
    delete: (chatId: string, messageId: number, atMs: number): Promise<StoredMessage | null> =>
      deleteMessage(db, chatId, messageId, atMs),
    /** The newest messages before one of them, or the oldest after it; at least one. Null: the newest of all. */
    page: async (
      chatId: string,
      from: { before: number } | { after: number } | null,
      { limit, bytes }: PageSize,
    ): Promise<MessagePage> => {
      const isForward = from !== null && 'after' in from
      const bounded = db
        .selectFrom('chat_messages')
        .where('chat_id', '=', chatId)
        .$if(from !== null && 'before' in from, query =>
          query.where('id', '<', (from as { before: number }).before),
        )
        .$if(isForward, query => query.where('id', '>', (from as { after: number }).after))
      // Sizes first, so that texts beyond the limit are not read.
      const sizes = await bounded
        .select(['id', sizeOfMessage.as('bytes')])
        .orderBy('id', isForward ? 'asc' : 'desc')
        .limit(limit + 1) // one more shows whether there are more
        .execute()
      const [first, last] = [sizes[0], sizes[fitting(sizes.slice(0, limit), bytes) - 1]]
      if (!first || !last) return { messages: [], hasMore: false }
      const rows = await db
        .selectFrom('chat_messages')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('id', '>=', Math.min(first.id, last.id))
        .where('id', '<=', Math.max(first.id, last.id))
        .orderBy('id')
        .execute()
      return { messages: rows.map(toMessage), hasMore: rows.length < sizes.length }
    },
    /** Moves the position of the member forward. False when it was there, or further, already. */
    read: async (chatId: string, userId: number, messageId: number) => {
      const { numUpdatedRows } = await db
        .updateTable('conversation_members')
        .set({ read_id: messageId })
        .where('chat_id', '=', chatId)
        .where('user_id', '=', userId)
        .where('read_id', '<', messageId)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}

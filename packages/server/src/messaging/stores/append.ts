import type { Kysely } from 'kysely'
import { preparedInTransaction } from '../../platform/db/prepared.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { SessionLease } from '../../sessions/ports.ts'
import { fileColumn, toMessage } from '../../sessions/stores/chat-rows.ts'
import { isFenced, lockLease } from '../../sessions/stores/fencing.ts'
import type { AppendResult, Chat, DecideRelation, Draft, RefusalCode } from '../ports.ts'
import { changeRelations } from './relations.ts'

type Db = Kysely<MainSchema>

const findStored = preparedInTransaction((db: Db, chatId: string, userId: number, commandId: string) =>
  db
    .selectFrom('chat_messages')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .where('command_id', '=', commandId),
)

const findMember = preparedInTransaction((db: Db, chatId: string, userId: number) =>
  db
    .selectFrom('conversation_members')
    .select('user_id')
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId),
)

const insertMessage = preparedInTransaction(
  (
    db: Db,
    chat_id: string,
    user_id: number,
    command_id: string,
    display_name: string,
    text: string,
    file: string | null,
    sent_at_ms: number,
  ) =>
    db
      .insertInto('chat_messages')
      .values({ chat_id, user_id, command_id, display_name, text, file, sent_at_ms })
      .returningAll(),
)

const touchConversation = preparedInTransaction((db: Db, last_message_id: number, chatId: string) =>
  db.updateTable('conversations').set({ last_message_id }).where('chat_id', '=', chatId).returning('chat_id'),
)

const moveReader = preparedInTransaction((db: Db, read_id: number, chatId: string, userId: number) =>
  db
    .updateTable('conversation_members')
    .set({ read_id })
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .returning('user_id'),
)

const rememberForPush = preparedInTransaction((db: Db, message_id: number) =>
  db.insertInto('push_outbox').values({ message_id }).returning('message_id'),
)

export interface AppendOptions {
  decide: DecideRelation
  /** Remembers with the message that people may have to be notified. */
  isForPush: boolean
}

/** Stores a draft inside of a transaction, or refuses it without a trace. */
export async function appendDraft(
  db: Db,
  draft: Draft,
  { decide, isForPush }: AppendOptions,
): Promise<AppendResult> {
  const { chat, message } = draft
  const { chatId, userId, commandId } = message
  const [known] = await findStored(db, chatId, userId, commandId)
  if (known) return { is: 'stored', message: toMessage(known), isNew: false, contactsChanged: false }
  const permission = await permit(db, draft, decide)
  if (typeof permission === 'string') return { is: 'refused', code: permission }
  const { displayName, text, sentAtMs } = message
  const [row] = await insertMessage(
    db,
    chatId,
    userId,
    commandId,
    displayName,
    text,
    fileColumn(message),
    sentAtMs,
  )
  if (!row) throw new Error('a message was not inserted')
  if (isForPush) await rememberForPush(db, row.id)
  const [conversation] = await touchConversation(db, row.id, chatId)
  if (!conversation) await addConversation(db, chat, row.id)
  const [reader] = await moveReader(db, row.id, chatId, userId)
  if (chat.kind === 'direct') {
    const other = otherOf(chat, userId)
    if (!reader) await addMember(db, chatId, userId, other, row.id)
    await addMember(db, chatId, other, userId, row.id - 1)
  }
  return { is: 'stored', message: toMessage(row), isNew: true, ...permission }
}

async function permit(
  db: Db,
  { chat, message: { userId }, session }: Draft,
  decide: DecideRelation,
): Promise<{ contactsChanged: boolean } | RefusalCode> {
  if (chat.kind === 'conference') {
    if (session) return (await mayWrite(db, session)) ? { contactsChanged: false } : 'elsewhere'
    return (await isMember(db, chat, userId)) ? { contactsChanged: false } : 'not_a_member'
  }
  const other = otherOf(chat, userId)
  const result = await changeRelations(db, userId, other, decide)
  return typeof result === 'string' ? result : { contactsChanged: result.haveStatesChanged }
}

const mayWrite = async (db: Db, lease: SessionLease) => !isFenced(lease) || lockLease(db, lease)

async function isMember(db: Db, chat: Extract<Chat, { kind: 'conference' }>, userId: number) {
  const [member] = await findMember(db, chat.id, userId)
  if (member) return true
  const owner = await ownerOf(db, chat.tag)
  return owner === userId
}

async function ownerOf(db: Db, tag: string): Promise<number | null> {
  const row = await db
    .selectFrom('conferences')
    .select('owner_id')
    .where('tag', '=', tag)
    .where('removed', '=', 0)
    .executeTakeFirst()
  return row?.owner_id ?? null
}

async function addConversation(db: Db, chat: Chat, messageId: number): Promise<void> {
  const tag = chat.kind === 'conference' ? chat.tag : null
  await db.insertInto('conversations').values({ chat_id: chat.id, tag, last_message_id: messageId }).execute()
  if (chat.kind === 'direct') return
  const owner = await ownerOf(db, chat.tag)
  if (owner !== null) await addMember(db, chat.id, owner, null, 0)
}

/** Changes nothing for somebody who is a member. */
const addMember = preparedInTransaction(
  (db: Db, chat_id: string, user_id: number, other_id: number | null, read_id: number) =>
    db
      .insertInto('conversation_members')
      .values({ chat_id, user_id, other_id, read_id })
      .onConflict(conflict => conflict.columns(['chat_id', 'user_id']).doNothing())
      .returning('user_id'),
)

const otherOf = ({ userIds: [lower, higher] }: { userIds: [number, number] }, userId: number) =>
  userId === lower ? higher : lower

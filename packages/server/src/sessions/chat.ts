import { isVisible } from '@lectern/protocol'
import {
  CHAT_HISTORY_MAX,
  CHAT_PAGE_BYTES,
  CHAT_TAIL_BYTES,
  CHAT_TAIL_MAX,
  type CommandBody,
  type CommandData,
  chatTailLength,
  messageBytes,
  utf8Length,
} from '@lectern/protocol/control'
import type { CommandContext, StoredCommandKey } from './command.ts'
import { canDeleteMessage, canSendFiles, canSetChatMode, canWrite, isModerator } from './policy.ts'
import type { ChatStore, MessageKey, NewMessage, SessionParts, StoredMessage } from './ports.ts'
import { presentMessage } from './present.ts'
import { assertOrRefuse, ConferenceRefusal, LeaseLost } from './refusals.ts'
import { type ChatTail, emit, type Session, saveState } from './session.ts'

export const readTail = (chat: Pick<ChatStore, 'page'>, chatId: string) =>
  chat.page(chatId, null, { limit: CHAT_TAIL_MAX, bytes: CHAT_TAIL_BYTES })

/** Stored and published once, however often it is repeated (rule T2). */
export async function send(
  context: CommandContext,
  body: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'>> {
  const { parts, session, self } = context
  assertOrRefuse(isWritten(body), 'blank')
  assertOrRefuse(canWrite(session, self), 'read_only')
  assertOrRefuse(body.file_id === undefined || canSendFiles(session, self), 'files_not_permitted')
  assertWithinRates(context, body.text ?? '')
  const stored = await store(context, body)
  const result = resultOf(stored, body)
  await publishStored(parts, session, stored)
  return result
}

/** Stores a message for everybody in the session. After a failure it may be stored all the same (rule T8). */
export async function append(
  { chat }: Pick<SessionParts, 'chat'>,
  session: Session,
  message: NewMessage,
): Promise<StoredMessage> {
  try {
    const stored = await chat.append(message, session.lease)
    if (!stored) throw new LeaseLost()
    return stored
  } catch (error) {
    session.chat.behind = true
    throw error
  }
}

/** Publishes a message after all that were stored before it. */
export async function publishStored(
  parts: SessionParts,
  session: Session,
  message: StoredMessage,
): Promise<void> {
  if (session.chat.behind) await publishPending(parts, session)
  addUnpublished(session, message)
  publishAdded(parts, session)
}

/** The result of a message that was stored before, whether its sender is still inside or not (rule T9). */
export async function findStored(
  { chat, sessions }: Pick<SessionParts, 'chat' | 'sessions'>,
  { sessionId, userId, commandId }: StoredCommandKey,
  body: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'> | null> {
  const session = await sessions.find(sessionId)
  const stored = session && (await chat.find({ chatId: session.chatId, userId, commandId }))
  return stored && resultOf(stored, body)
}

/** A text of which something can be seen, or a file and maybe a text. */
export const isWritten = ({ text = '', file_id }: CommandBody<'chat.send'>): boolean =>
  isVisible(text) || (file_id !== undefined && text === '')

/** Whether a repeated command is about this message. One that was edited or deleted meanwhile has another text. */
export function isMessageOf(
  stored: StoredMessage,
  { text = '', file_id }: CommandBody<'chat.send'>,
): boolean {
  const isChanged = stored.editedAtMs !== null || stored.isDeleted
  return isChanged || (stored.text === text && stored.file?.file_id === file_id)
}

function resultOf(stored: StoredMessage, body: CommandBody<'chat.send'>): CommandData<'chat.send'> {
  assertOrRefuse(isMessageOf(stored, body), 'other_message')
  return { message_id: String(stored.messageId), sent_at_ms: stored.sentAtMs }
}

async function store(
  { parts, session, self, commandId }: CommandContext,
  { text = '', file_id }: CommandBody<'chat.send'>,
): Promise<StoredMessage> {
  const key: MessageKey = { chatId: session.chatId, userId: self.userId, commandId }
  const file = file_id === undefined ? undefined : await parts.chatFiles.claim(file_id, key)
  assertOrRefuse(file !== null, 'no_such_file')
  const sender = { displayName: self.displayName, isByModerator: isModerator(self) }
  const draft = { ...key, ...sender, text, sentAtMs: parts.clock() }
  return append(parts, session, file ? { ...draft, file } : draft)
}

/** Counts the message (rules T10 to T12). */
function assertWithinRates({ parts, session, self }: CommandContext, text: string): void {
  const refusal = parts.chatLimiter.take({
    userId: self.userId,
    chatId: session.chatId,
    isModerator: isModerator(self),
    bytes: utf8Length(JSON.stringify(text)), // as it is sent to everybody
  })
  if (refusal) throw new ConferenceRefusal(refusal.reason, refusal.waitMs)
}

/** Publishes what was stored although the store reported a failure (rule T8). */
export async function publishPending(parts: SessionParts, session: Session): Promise<void> {
  const pending = await parts.chat.after(session.chatId, newestId(session))
  session.chat.behind = false
  for (const message of pending) publish(parts, session, message)
}

/** Publishes what differs from the store: notices of other servers were lost. */
export async function verifyChat(parts: SessionParts, session: Session): Promise<void> {
  const { messages } = await readTail(parts.chat, session.chatId)
  const known = new Map(session.chat.messages.map(each => [each.messageId, each]))
  for (const stored of messages) {
    const shown = known.get(stored.messageId)
    if (!shown) publish(parts, session, stored)
    else applyChange(parts, session, stored)
  }
}

/** A message that was stored outside of the session waits for its turn, so that messages are published in order. */
export function addUnpublished(session: Session, message: StoredMessage): void {
  session.chat.unpublished.push(message)
}

/** Publishes what was stored, in order. */
export function publishAdded(parts: SessionParts, session: Session): void {
  const added = session.chat.unpublished.splice(0).sort((a, b) => a.messageId - b.messageId)
  for (const message of added) publish(parts, session, message)
}

/** A message was edited or deleted. */
export function applyChange(parts: SessionParts, session: Session, message: StoredMessage): void {
  const { chat } = session
  const shown = chat.messages.find(each => each.messageId === message.messageId)
  if (shown && isSameVersion(shown, message)) return
  chat.messages = chat.messages.map(each => (each.messageId === message.messageId ? message : each))
  shorten(chat)
  emit(parts, session, 'chat.message_changed', { message: presentMessage(message) })
}

function publish(parts: SessionParts, session: Session, message: StoredMessage): void {
  const { chat } = session
  const newer = chat.messages.findIndex(each => each.messageId >= message.messageId)
  const isKnown = chat.messages[newer]?.messageId === message.messageId
  const isBeforeTail = newer === 0 && chat.hasOlder
  if (isKnown || isBeforeTail) return
  chat.messages.splice(newer < 0 ? chat.messages.length : newer, 0, message)
  shorten(chat)
  emit(parts, session, 'chat.message', { message: presentMessage(message) })
}

function shorten(chat: ChatTail): void {
  const length = chatTailLength(chat.messages, each =>
    messageBytes(each.displayName, each.text, each.file?.name),
  )
  if (chat.messages.splice(0, chat.messages.length - length).length > 0) chat.hasOlder = true
}

const isSameVersion = (one: StoredMessage, other: StoredMessage) =>
  one.editedAtMs === other.editedAtMs && one.isDeleted === other.isDeleted

function messageIdOf(text: string): number {
  const id = Number(text)
  assertOrRefuse(Number.isSafeInteger(id), 'no_such_message')
  return id
}

const newestId = ({ chat }: Session) => chat.messages.at(-1)?.messageId ?? 0

export async function history(
  { parts, session }: CommandContext,
  { before, limit = CHAT_HISTORY_MAX }: CommandBody<'chat.history'>,
): Promise<CommandData<'chat.history'>> {
  const from = before === undefined ? null : messageIdOf(before)
  const size = { limit, bytes: CHAT_PAGE_BYTES }
  const { messages, hasOlder } = await parts.chat.page(session.chatId, from, size)
  return { messages: messages.map(presentMessage), has_older: hasOlder }
}

/** Deletes a message with its file. Idempotent. */
export async function remove(
  { parts, session, self }: CommandContext,
  { message_id }: CommandBody<'chat.delete'>,
): Promise<CommandData<'chat.delete'>> {
  const before = await parts.chat.get(session.chatId, messageIdOf(message_id))
  assertOrRefuse(before, 'no_such_message')
  assertOrRefuse(canDeleteMessage(self, before), 'not_your_message')
  if (before.isDeleted) {
    // The message may have been deleted although the store reported a failure.
    const isShown = session.chat.messages.some(({ messageId }) => messageId === before.messageId)
    if (isShown) applyChange(parts, session, before)
    return { message: presentMessage(before) }
  }
  const deleted = await parts.chat.delete(session.chatId, before.messageId, parts.clock())
  assertOrRefuse(deleted, 'no_such_message')
  applyChange(parts, session, deleted)
  if (before.file) await parts.chatFiles.remove(before.file.file_id)
  return { message: presentMessage(deleted) }
}

export async function setMode(
  { parts, session, self }: CommandContext,
  { mode }: CommandBody<'chat.set_mode'>,
): Promise<void> {
  assertOrRefuse(canSetChatMode(self), 'not_moderator')
  if (session.chatMode === mode) return
  await saveState(parts, session, { chatMode: mode })
  session.chatMode = mode
  emit(parts, session, 'chat.mode', { mode })
}

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
import { canSetChatMode, canWrite, isModerator } from './policy.ts'
import type { ChatStore, MessageKey, SessionDependencies, StoredMessage } from './ports.ts'
import { presentMessage } from './present.ts'
import { assertOrRefuse, ConferenceRefusal, LeaseLost } from './refusals.ts'
import { type ChatTail, emit, type Session, saveState } from './session.ts'

export const readTail = (chat: Pick<ChatStore, 'page'>, chatId: string) =>
  chat.page(chatId, null, { limit: CHAT_TAIL_MAX, bytes: CHAT_TAIL_BYTES })

/** Stored and published once, however often it is repeated (rule T2). */
export async function send(
  context: CommandContext,
  { text }: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'>> {
  const { deps, session, self } = context
  assertOrRefuse(text.trim() !== '', 'blank')
  assertOrRefuse(canWrite(session, self), 'read_only')
  assertWithinRates(context, text)
  const stored = await store(context, text)
  const result = resultOf(stored, text)
  if (session.chat.behind) await publishPending(deps, session)
  addUnpublished(session, stored)
  publishAdded(deps, session)
  return result
}

/** The result of a message that was stored before, whether its sender is still inside or not (rule T9). */
export async function findStored(
  { chat, sessions }: Pick<SessionDependencies, 'chat' | 'sessions'>,
  { sessionId, userId, commandId }: StoredCommandKey,
  { text }: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'> | null> {
  const session = await sessions.find(sessionId)
  const stored = session && (await chat.find({ chatId: session.chatId, userId, commandId }))
  return stored && resultOf(stored, text)
}

function resultOf(stored: StoredMessage, text: string): CommandData<'chat.send'> {
  // A message that was edited or deleted meanwhile has another text.
  const isUnchanged = stored.editedAtMs === null && !stored.isDeleted
  assertOrRefuse(stored.text === text || !isUnchanged, 'other_message')
  return { message_id: String(stored.messageId), sent_at_ms: stored.sentAtMs }
}

async function store(
  { deps, session, self, commandId }: CommandContext,
  text: string,
): Promise<StoredMessage> {
  const key: MessageKey = { chatId: session.chatId, userId: self.userId, commandId }
  try {
    const message = { ...key, displayName: self.displayName, text, sentAtMs: deps.clock() }
    const stored = await deps.chat.append(message, session.lease)
    if (!stored) throw new LeaseLost()
    return stored
  } catch (error) {
    session.chat.behind = true // it may be stored all the same
    throw error
  }
}

/** Counts the message (rules T10 to T12). */
function assertWithinRates({ deps, session, self }: CommandContext, text: string): void {
  const refusal = deps.chatLimiter.take({
    userId: self.userId,
    chatId: session.chatId,
    isModerator: isModerator(self),
    bytes: utf8Length(JSON.stringify(text)), // as it is sent to everybody
  })
  if (refusal) throw new ConferenceRefusal(refusal.reason, refusal.waitMs)
}

/** Publishes what was stored although the store reported a failure (rule T8). */
export async function publishPending(deps: SessionDependencies, session: Session): Promise<void> {
  const pending = await deps.chat.after(session.chatId, newestId(session))
  session.chat.behind = false
  for (const message of pending) publish(deps, session, message)
}

/** Publishes what differs from the store: notices of other servers were lost. */
export async function verifyChat(deps: SessionDependencies, session: Session): Promise<void> {
  const { messages } = await readTail(deps.chat, session.chatId)
  const known = new Map(session.chat.messages.map(each => [each.messageId, each]))
  for (const stored of messages) {
    const shown = known.get(stored.messageId)
    if (!shown) publish(deps, session, stored)
    else if (shown.editedAtMs !== stored.editedAtMs || shown.isDeleted !== stored.isDeleted)
      applyChange(deps, session, stored)
  }
}

/** A message that was stored outside of the session waits for its turn, so that messages are published in order. */
export function addUnpublished(session: Session, message: StoredMessage): void {
  session.chat.unpublished.push(message)
}

/** Publishes what was stored, in order. */
export function publishAdded(deps: SessionDependencies, session: Session): void {
  const added = session.chat.unpublished.splice(0).sort((a, b) => a.messageId - b.messageId)
  for (const message of added) publish(deps, session, message)
}

/** A message was edited or deleted. */
export function applyChange(deps: SessionDependencies, session: Session, message: StoredMessage): void {
  const { chat } = session
  chat.messages = chat.messages.map(each => (each.messageId === message.messageId ? message : each))
  shorten(chat)
  emit(deps, session, 'chat.message_changed', { message: presentMessage(message) })
}

function publish(deps: SessionDependencies, session: Session, message: StoredMessage): void {
  const { chat } = session
  const newer = chat.messages.findIndex(each => each.messageId >= message.messageId)
  const isKnown = chat.messages[newer]?.messageId === message.messageId
  const isBeforeTail = newer === 0 && chat.hasOlder
  if (isKnown || isBeforeTail) return
  chat.messages.splice(newer < 0 ? chat.messages.length : newer, 0, message)
  shorten(chat)
  emit(deps, session, 'chat.message', { message: presentMessage(message) })
}

function shorten(chat: ChatTail): void {
  const length = chatTailLength(chat.messages, each => messageBytes(each.displayName, each.text))
  if (chat.messages.splice(0, chat.messages.length - length).length > 0) chat.hasOlder = true
}

const newestId = ({ chat }: Session) => chat.messages.at(-1)?.messageId ?? 0

export async function history(
  { deps, session }: CommandContext,
  { before, limit = CHAT_HISTORY_MAX }: CommandBody<'chat.history'>,
): Promise<CommandData<'chat.history'>> {
  const from = before === undefined ? null : Number(before)
  assertOrRefuse(from === null || Number.isSafeInteger(from), 'no_such_message')
  const size = { limit, bytes: CHAT_PAGE_BYTES }
  const { messages, hasOlder } = await deps.chat.page(session.chatId, from, size)
  return { messages: messages.map(presentMessage), has_older: hasOlder }
}

export async function setMode(
  { deps, session, self }: CommandContext,
  { mode }: CommandBody<'chat.set_mode'>,
): Promise<void> {
  assertOrRefuse(canSetChatMode(self), 'not_moderator')
  if (session.chatMode === mode) return
  await saveState(deps, session, { chatMode: mode })
  session.chatMode = mode
  emit(deps, session, 'chat.mode', { mode })
}

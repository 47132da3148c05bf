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
import type { CommandContext } from './command-context.ts'
import type { StoredCommandKey } from './commands.ts'
import { canSetChatMode, canWrite, isModerator } from './policy.ts'
import type { ChatStore, MessageKey, SessionDependencies, StoredMessage } from './ports.ts'
import { presentMessage } from './present.ts'
import { assertOrRefuse, ConferenceRefusal } from './refusals.ts'
import { emit, type Session, toStoredState } from './session.ts'

const sessionChat = (sessionId: number) => `session:${sessionId}`

export const readTail = (chat: Pick<ChatStore, 'page'>, sessionId: number) =>
  chat.page(sessionChat(sessionId), null, { limit: CHAT_TAIL_MAX, bytes: CHAT_TAIL_BYTES })

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
  else publish(deps, session, stored)
  return result
}

/** The result of a message that was stored before, whether its sender is still inside or not (rule T9). */
export async function findStored(
  { chat }: Pick<SessionDependencies, 'chat'>,
  { sessionId, userId, commandId }: StoredCommandKey,
  { text }: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'> | null> {
  const stored = await chat.find({ chatId: sessionChat(sessionId), userId, commandId })
  return stored && resultOf(stored, text)
}

function resultOf(stored: StoredMessage, text: string): CommandData<'chat.send'> {
  assertOrRefuse(stored.text === text, 'other_message')
  return { message_id: String(stored.messageId), sent_at_ms: stored.sentAtMs }
}

async function store(
  { deps, session, self, commandId }: CommandContext,
  text: string,
): Promise<StoredMessage> {
  const key: MessageKey = { chatId: sessionChat(session.id), userId: self.userId, commandId }
  try {
    return await deps.chat.append({ ...key, displayName: self.displayName, text, sentAtMs: deps.clock() })
  } catch (error) {
    session.chat.behind = true // it may be stored all the same
    throw error
  }
}

/** Counts the message (rules T10 to T12). */
function assertWithinRates({ deps, session, self }: CommandContext, text: string): void {
  const refusal = deps.chatLimiter.take({
    userId: self.userId,
    sessionId: session.id,
    isModerator: isModerator(self),
    bytes: utf8Length(JSON.stringify(text)), // as it is sent to everybody
  })
  if (refusal) throw new ConferenceRefusal(refusal.reason, refusal.waitMs)
}

/** Publishes what was stored although the store reported a failure (rule T8). */
export async function publishPending(deps: SessionDependencies, session: Session): Promise<void> {
  const pending = await deps.chat.after(sessionChat(session.id), newestId(session))
  session.chat.behind = false
  for (const message of pending) publish(deps, session, message)
}

function publish(deps: SessionDependencies, session: Session, message: StoredMessage): void {
  const { chat } = session
  if (message.messageId <= newestId(session)) return
  chat.messages.push(message)
  const length = chatTailLength(chat.messages, each => messageBytes(each.displayName, each.text))
  if (chat.messages.splice(0, chat.messages.length - length).length > 0) chat.hasOlder = true
  emit(deps, session, 'chat.message', { message: presentMessage(message) })
}

const newestId = ({ chat }: Session) => chat.messages.at(-1)?.messageId ?? 0

export async function history(
  { deps, session }: CommandContext,
  { before, limit = CHAT_HISTORY_MAX }: CommandBody<'chat.history'>,
): Promise<CommandData<'chat.history'>> {
  const from = before === undefined ? null : Number(before)
  assertOrRefuse(from === null || Number.isSafeInteger(from), 'no_such_message')
  const size = { limit, bytes: CHAT_PAGE_BYTES }
  const { messages, hasOlder } = await deps.chat.page(sessionChat(session.id), from, size)
  return { messages: messages.map(presentMessage), has_older: hasOlder }
}

export async function setMode(
  { deps, session, self }: CommandContext,
  { mode }: CommandBody<'chat.set_mode'>,
): Promise<void> {
  assertOrRefuse(canSetChatMode(self), 'not_moderator')
  if (session.chatMode === mode) return
  await deps.sessions.save(session.id, toStoredState(session, { chatMode: mode }))
  session.chatMode = mode
  emit(deps, session, 'chat.mode', { mode })
}

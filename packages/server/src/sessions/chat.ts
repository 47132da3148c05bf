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
import { canSetChatMode, canWrite, isModerator } from './policy.ts'
import type { ChatStore, MessageKey, SessionDependencies, StoredMessage } from './ports.ts'
import { presentMessage } from './present.ts'
import { assertOrRefuse, ConferenceRefusal } from './refusals.ts'
import { emit, type Session, toStoredState } from './session.ts'

const sessionChat = (sessionId: number) => `session:${sessionId}`

export const readTail = (chat: Pick<ChatStore, 'page'>, sessionId: number) =>
  chat.page(sessionChat(sessionId), null, { limit: CHAT_TAIL_MAX, bytes: CHAT_TAIL_BYTES })

/** Stored once and told once, whatever is repeated. */
export async function send(
  context: CommandContext,
  { text }: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'>> {
  assertOrRefuse(text.trim() !== '', 'blank')
  const stored = await store(context, text)
  const answer = answerOf(stored, text)
  await tell(context.deps, context.session, stored)
  return answer
}

export interface SentMessage {
  sessionId: number
  userId: number
  commandId: string
}

/** The answer to a message that was stored before; its sender need not be inside any more. */
export async function findAnswer(
  { chat }: Pick<SessionDependencies, 'chat'>,
  { sessionId, userId, commandId }: SentMessage,
  { text }: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'> | null> {
  const stored = await chat.find({ chatId: sessionChat(sessionId), userId, commandId })
  return stored && answerOf(stored, text)
}

function answerOf(stored: StoredMessage, text: string): CommandData<'chat.send'> {
  assertOrRefuse(stored.text === text, 'other_message')
  return { message_id: String(stored.messageId), sent_at_ms: stored.sentAtMs }
}

/** Whether this very command has stored a message before. */
export const isStored = async (context: CommandContext) =>
  (await context.deps.chat.find(keyOf(context))) !== null

const keyOf = ({ session, self, commandId }: CommandContext): MessageKey => ({
  chatId: sessionChat(session.id),
  userId: self.userId,
  commandId,
})

async function store(context: CommandContext, text: string): Promise<StoredMessage> {
  const { deps, session, self } = context
  const key = keyOf(context)
  const refusal = canWrite(session, self) ? overRate(context, text) : new ConferenceRefusal('read_only')
  if (refusal) {
    const earlier = await deps.chat.find(key)
    if (!earlier) throw refusal
    return earlier
  }
  try {
    return await deps.chat.append({ ...key, displayName: self.displayName, text, sentAtMs: deps.clock() })
  } catch (error) {
    session.chat.behind = true // it may be stored all the same
    throw error
  }
}

/** Counts the message; null when the rates of the sender and of the session allow it. */
function overRate({ deps, session, self }: CommandContext, text: string): ConferenceRefusal | null {
  const refusal = deps.chatLimiter.take({
    userId: self.userId,
    sessionId: session.id,
    isModerator: isModerator(self),
    bytes: utf8Length(JSON.stringify(text)), // as it goes to everybody
  })
  return refusal && new ConferenceRefusal(refusal.reason, refusal.waitMs)
}

async function tell(deps: SessionDependencies, session: Session, stored: StoredMessage): Promise<void> {
  const { chat } = session
  const told = chat.messages.at(-1)?.messageId ?? 0
  const news = chat.behind ? await deps.chat.after(sessionChat(session.id), told) : [stored]
  chat.behind = false
  for (const message of news) {
    if (message.messageId <= told) continue
    chat.messages.push(message)
    const length = chatTailLength(chat.messages, each => messageBytes(each.displayName, each.text))
    if (chat.messages.splice(0, chat.messages.length - length).length > 0) chat.hasOlder = true
    emit(deps, session, 'chat.message', { message: presentMessage(message) })
  }
}

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

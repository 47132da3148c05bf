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
import type { Here } from './here.ts'
import { canSetChatMode, canWrite, isModerator } from './policy.ts'
import type { ChatStore, ConferenceParts, MessageKey, StoredMessage } from './ports.ts'
import { presentMessage } from './present.ts'
import { ConferenceRefusal, demand } from './refusals.ts'
import { emit, kept, type Session } from './session.ts'

const sessionChat = (sessionId: number) => `session:${sessionId}`

export const readTail = (chat: ChatStore, sessionId: number) =>
  chat.page(sessionChat(sessionId), null, { limit: CHAT_TAIL_MAX, bytes: CHAT_TAIL_BYTES })

/** Stored once and told once, whatever is repeated. */
export async function send(
  here: Here,
  { text }: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'>> {
  demand(text.trim() !== '', 'blank')
  const stored = await store(here, text)
  const answer = answerOf(stored, text)
  await tell(here.parts, here.session, stored)
  return answer
}

export interface SentMessage {
  sessionId: number
  userId: number
  commandId: string
}

/** The answer to a message that was stored before; its sender need not be inside any more. */
export async function findAnswer(
  { chat }: Pick<ConferenceParts, 'chat'>,
  { sessionId, userId, commandId }: SentMessage,
  { text }: CommandBody<'chat.send'>,
): Promise<CommandData<'chat.send'> | null> {
  const stored = await chat.find({ chatId: sessionChat(sessionId), userId, commandId })
  return stored && answerOf(stored, text)
}

function answerOf(stored: StoredMessage, text: string): CommandData<'chat.send'> {
  demand(stored.text === text, 'other_message')
  return { message_id: String(stored.messageId), sent_at_ms: stored.sentAtMs }
}

/** Whether this very command has stored a message before. */
export const isStored = async (here: Here) => (await here.parts.chat.find(keyOf(here))) !== null

const keyOf = ({ session, self, commandId }: Here): MessageKey => ({
  chatId: sessionChat(session.id),
  userId: self.userId,
  commandId,
})

async function store(here: Here, text: string): Promise<StoredMessage> {
  const { parts, session, self } = here
  const key = keyOf(here)
  const refusal = canWrite(session, self) ? overRate(here, text) : new ConferenceRefusal('read_only')
  if (refusal) {
    const earlier = await parts.chat.find(key)
    if (!earlier) throw refusal
    return earlier
  }
  try {
    return await parts.chat.append({ ...key, displayName: self.displayName, text, sentAtMs: parts.clock() })
  } catch (error) {
    session.chat.behind = true // it may be stored all the same
    throw error
  }
}

/** Counts the message; null when the rates of the sender and of the session allow it. */
function overRate({ parts, session, self }: Here, text: string): ConferenceRefusal | null {
  const refusal = parts.chatLimiter.take({
    userId: self.userId,
    sessionId: session.id,
    isModerator: isModerator(self),
    bytes: utf8Length(JSON.stringify(text)), // as it goes to everybody
  })
  return refusal && new ConferenceRefusal(refusal.reason, refusal.waitMs)
}

async function tell(parts: ConferenceParts, session: Session, stored: StoredMessage): Promise<void> {
  const { chat } = session
  const told = chat.messages.at(-1)?.messageId ?? 0
  const news = chat.behind ? await parts.chat.after(sessionChat(session.id), told) : [stored]
  chat.behind = false
  for (const message of news) {
    if (message.messageId <= told) continue
    chat.messages.push(message)
    const length = chatTailLength(chat.messages, each => messageBytes(each.displayName, each.text))
    if (chat.messages.splice(0, chat.messages.length - length).length > 0) chat.hasOlder = true
    emit(parts, session, 'chat.message', { message: presentMessage(message) })
  }
}

export async function history(
  { parts, session }: Here,
  { before, limit = CHAT_HISTORY_MAX }: CommandBody<'chat.history'>,
): Promise<CommandData<'chat.history'>> {
  const from = before === undefined ? null : Number(before)
  demand(from === null || Number.isSafeInteger(from), 'no_such_message')
  const size = { limit, bytes: CHAT_PAGE_BYTES }
  const { messages, hasOlder } = await parts.chat.page(sessionChat(session.id), from, size)
  return { messages: messages.map(presentMessage), has_older: hasOlder }
}

export async function setMode(
  { parts, session, self }: Here,
  { mode }: CommandBody<'chat.set_mode'>,
): Promise<void> {
  demand(canSetChatMode(self), 'not_moderator')
  if (session.chatMode === mode) return
  await parts.sessions.save(session.id, kept(session, { chatMode: mode }))
  session.chatMode = mode
  emit(parts, session, 'chat.mode', { mode })
}

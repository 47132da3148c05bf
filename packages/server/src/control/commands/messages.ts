import {
  type Conversation,
  type JsonObject,
  PAGE_MAX,
  parseChatId,
  type Target,
} from '@lectern/protocol/control'
import { isUser } from '../../accounts/eligible.ts'
import { chatOf, messageIdOf } from '../../messaging/chats.ts'
import type { Sender as MessageSender } from '../../messaging/messages.ts'
import type { Chat } from '../../messaging/ports.ts'
import { presentConversation } from '../../messaging/present.ts'
import type { ControlParts } from '../ports.ts'
import type { Handler, Outcome, Sender } from './command.ts'
import { membershipIn } from './memberships.ts'
import { ownAccount } from './own-account.ts'

/** Messages of conversations (rules MSG-1 to MSG-18). */

/** Runs a command about the conversation that the target names. */
const inChat = (
  { participants }: Pick<ControlParts, 'participants'>,
  sender: Sender,
  { id }: Target,
): [MessageSender, Chat] => {
  const { user } = sender.login
  const chat = chatOf(id, user.id)
  const membership = chat.kind === 'conference' ? membershipIn(sender, chat.tag) : undefined
  const isInside = membership?.kind === 'participant' && participants.isInside(membership.participant)
  return [{ user, isInside }, chat]
}

type Charged = (parts: ControlParts, sender: Sender) => Promise<{ data: object; receivers: number }>

/** The account pays for everybody who receives the event (rule K18). */
async function charged(parts: ControlParts, sender: Sender, run: Charged): Promise<Outcome> {
  const inDebt = parts.notifications.take(sender.login.user, 0)
  if (inDebt) throw inDebt
  const { data, receivers } = await run(parts, sender)
  parts.notifications.charge(sender.login.user, receivers)
  return { data: data as JsonObject }
}

export const send: Handler<'message.send'> = (parts, sender, { id, target, body, startBy }) =>
  charged(parts, sender, () =>
    parts.messaging.messages.send(...inChat(parts, sender, target), id, body, startBy),
  )

export const edit: Handler<'message.edit'> = (parts, sender, { target, body }) =>
  charged(parts, sender, () => parts.messaging.messages.edit(...inChat(parts, sender, target), body))

export const remove: Handler<'message.delete'> = (parts, sender, { target, body }) =>
  charged(parts, sender, () => parts.messaging.messages.delete(...inChat(parts, sender, target), body))

export const list: Handler<'message.list'> = async (parts, sender, { target, body }) => ({
  data: await parts.messaging.messages.list(...inChat(parts, sender, target), body),
})

export const read: Handler<'message.read'> = async (parts, sender, { target, body }) => ({
  data: await parts.messaging.messages.read(...inChat(parts, sender, target), body),
})

export const listConversations: Handler<'conversation.list'> = async (
  { messaging },
  sender,
  { target, body: { before, limit = PAGE_MAX } },
) => {
  const user = ownAccount(sender, target)
  if (!isUser(user)) return { data: { conversations: [], next: null } }
  const from = before === undefined ? null : cursorOf(before)
  const stored = await messaging.conversations.page(user.id, from, limit + 1)
  const conversations = fitting(stored.slice(0, limit).map(each => presentConversation(user.id, each)))
  const isLast = conversations.length === stored.length
  const last = conversations.at(-1)
  const next = isLast || !last ? null : (last.last_message?.message_id ?? last.chat_id)
  return { data: { conversations, next } as unknown as JsonObject }
}

/** The last message of a conversation, or the id of one without messages. */
const cursorOf = (before: string) =>
  parseChatId(before) ? { afterEmpty: before } : { beforeMessage: messageIdOf(before) }

/** Titles and texts can be large as JSON; a page fits into a frame. */
const CONVERSATION_PAGE_CHARACTERS = 65_536

function fitting(conversations: Conversation[]): Conversation[] {
  let characters = 0
  const end = conversations.findIndex((each, index) => {
    characters += JSON.stringify(each).length
    return index > 0 && characters > CONVERSATION_PAGE_CHARACTERS
  })
  return end < 0 ? conversations : conversations.slice(0, end)
}

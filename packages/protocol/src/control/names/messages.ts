import { type Static, Type } from 'typebox'
import { Nullable } from '../../schema.ts'
import { Id, strict } from '../scalars.ts'
import { CHAT_PAGE_BYTES, ChatMessage, newMessage } from './chat.ts'
import { EditedText, TimeMs } from './fields.ts'
import { CONVERSATIONS_MAX, PAGE_MAX, PREVIEW_MAX, UNREAD_MAX } from './messaging-limits.ts'

/** Conversations (docs/messaging.md). The id of a `chat` target is the chat_id. */

export const Conversation = Type.Object(
  {
    chat_id: Type.String({
      ...Id,
      description: 'direct:<lower user_id>-<higher user_id>, or conference:<tag>.',
    }),
    kind: Type.Enum(['direct', 'conference']),
    title: Type.String({ description: 'The name of the other person, or the title of the conference.' }),
    user_id: Nullable(Type.String({ ...Id, description: 'The other person of a direct conversation.' })),
    tag: Nullable(Type.String({ ...Id, description: 'The conference.' })),
    last_message: Nullable(ChatMessage),
    unread: Type.Integer({
      minimum: 0,
      maximum: UNREAD_MAX,
      description: `Messages of others after read_up_to that were not deleted; ${UNREAD_MAX}: as many or more.`,
    }),
    read_up_to: Nullable(Id),
    muted: Type.Boolean({ description: 'No notifications outside of the page; counters go on.' }),
    is_request: Type.Boolean({ description: 'Its sender asks to become a contact.' }),
    activity_at_ms: TimeMs,
  },
  {
    ...strict,
    description: `last_message: the newest message, whose text is cut off after ${PREVIEW_MAX} characters. read_up_to: the newest message that was read. activity_at_ms: when the newest message was sent; without one, when the conference was made; 0 if a direct conversation has none any more.`,
  },
)
export type Conversation = Static<typeof Conversation>

/** Mutes do not change what is counted; a badge shows the second number. */
const unreadCounters = {
  unread_conversations: Type.Integer({
    minimum: 0,
    description: 'The number of all conversations with unread messages.',
  }),
  unmuted_unread_conversations: Type.Integer({
    minimum: 0,
    description: 'The number of those that are not muted, as for a badge.',
  }),
}

/** The part of an account's state that is about conversations. */
export const conversationsState = {
  conversations: Type.Array(Conversation, {
    maxItems: CONVERSATIONS_MAX,
    description: 'The newest conversations, newest message first. conversation.list returns the others.',
  }),
  ...unreadCounters,
}

const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX }))
const OneMessage = { message_id: Id }

export const messageCommands = {
  'message.send': newMessage(
    'Stored once for each command_id of the account. To somebody who is not a contact it is a contact request. A message has a text, a file or both.',
  ),
  'message.edit': Type.Object(
    { ...OneMessage, text: EditedText },
    { ...strict, description: 'An own message, within 24 hours.' },
  ),
  'message.delete': Type.Object(OneMessage, { ...strict, description: 'An own message, within 24 hours.' }),
  'message.list': Type.Object(
    {
      before: Type.Optional(Type.String({ ...Id, description: 'A message_id: those before it.' })),
      after: Type.Optional(
        Type.String({ ...Id, description: 'A message_id: those after it; 0: from the first one.' }),
      ),
      limit: Limit,
    },
    { ...strict, description: 'Without before and after: the newest messages. Not both.' },
  ),
  'message.read': Type.Object(OneMessage, {
    ...strict,
    description: 'All messages up to this one were read. The position only moves forward.',
  }),
  'conversation.list': Type.Object(
    {
      before: Type.Optional(Type.String({ ...Id, description: 'The next of an earlier result.' })),
      limit: Limit,
    },
    { ...strict, description: 'Newest message first, then conferences without messages.' },
  ),
}

export const messageData = {
  'message.send': Type.Object({ message_id: Id, sent_at_ms: TimeMs }, strict),
  'message.edit': Type.Object({ message: ChatMessage }, strict),
  'message.delete': Type.Object({ message: ChatMessage }, strict),
  'message.list': Type.Object(
    {
      messages: Type.Array(ChatMessage, {
        maxItems: PAGE_MAX,
        description: `Oldest first; names and texts have at most ${CHAT_PAGE_BYTES} bytes.`,
      }),
      has_more: Type.Boolean({ description: 'There are more in the direction that was asked for.' }),
    },
    strict,
  ),
  'message.read': Type.Object(
    { unread: Conversation.properties.unread, read_up_to: Conversation.properties.read_up_to },
    strict,
  ),
  'conversation.list': Type.Object(
    { conversations: Type.Array(Conversation, { maxItems: PAGE_MAX }), next: Nullable(Id) },
    { ...strict, description: 'next: the before of the next page; null: there is none.' },
  ),
}

const messageIn = { chat_id: Id, message: ChatMessage }

export const messageEvents = {
  'message.added': Type.Object(messageIn, {
    ...strict,
    description: 'A message in a conversation of the account, also an own one.',
  }),
  'message.changed': Type.Object(messageIn, { ...strict, description: 'A message was edited or deleted.' }),
  'conversation.changed': Type.Object({ conversation: Conversation, ...unreadCounters }, strict),
  'conversation.removed': Type.Object({ chat_id: Id, ...unreadCounters }, strict),
}

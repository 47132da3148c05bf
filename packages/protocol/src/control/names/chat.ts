import { type Static, Type } from 'typebox'
import { Nullable } from '../../schema.ts'
import { Id, strict } from '../scalars.ts'
import { ChatFile, FileId } from './chat-file.ts'
import { ChatText, StoredDisplayName, StoredText, TimeMs } from './fields.ts'

export const CHAT_MODES = ['open', 'read_only'] as const
export type ChatMode = (typeof CHAT_MODES)[number]
export const ChatModeSchema = Type.Enum(CHAT_MODES, {
  description: 'read_only: only moderators may write, and people whom an exception permits it.',
})

/** display_name is the sender's name at that time. */
export const ChatMessage = Type.Object(
  {
    message_id: Type.String({ ...Id, description: 'A decimal number; it grows with every message.' }),
    command_id: Type.Optional(
      Type.String({
        maxLength: 160,
        description: 'Of the command that wrote it: its sender recognizes it before the result arrives.',
      }),
    ),
    user_id: Id,
    display_name: StoredDisplayName,
    by_moderator: Type.Optional(
      Type.Boolean({
        description: 'Its sender was a moderator of the session at that time, or the platform.',
      }),
    ),
    text: StoredText,
    file: Type.Optional(ChatFile),
    sent_at_ms: TimeMs,
    edited_at_ms: Nullable(TimeMs),
    deleted: Type.Boolean({
      description: 'Deleted by its sender or a moderator; it has no text and no file any more.',
    }),
  },
  strict,
)
export type ChatMessage = Static<typeof ChatMessage>

/** The fields of a message that is sent. */
export const newMessage = (description: string) =>
  Type.Object(
    { text: Type.Optional(ChatText), file_id: Type.Optional(FileId) },
    { ...strict, minProperties: 1, description },
  )

export const CHAT_HISTORY_MAX = 100
/** The UTF-8 size of names and texts; as JSON at most six times as much, which still fits into a frame. */
export const CHAT_PAGE_BYTES = 32_768

export const chatCommands = {
  'chat.send': newMessage('Stored once for each command_id. A message has a text, a file or both.'),
  'chat.delete': Type.Object(
    { message_id: Id },
    { ...strict, description: 'An own message; moderators delete any. Its file is deleted with it.' },
  ),
  'chat.history': Type.Object(
    {
      before: Type.Optional(Type.String({ ...Id, description: 'A message_id; absent: the newest.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CHAT_HISTORY_MAX })),
    },
    strict,
  ),
  'chat.set_mode': Type.Object({ mode: ChatModeSchema }, strict),
}

export const chatData = {
  'chat.send': Type.Object({ message_id: Id, sent_at_ms: TimeMs }, strict),
  'chat.delete': Type.Object({ message: ChatMessage }, strict),
  'chat.history': Type.Object(
    {
      messages: Type.Array(ChatMessage, {
        maxItems: CHAT_HISTORY_MAX,
        description: `Oldest first; names and texts have at most ${CHAT_PAGE_BYTES} bytes.`,
      }),
      has_older: Type.Boolean({ description: 'There are older messages before the first of these.' }),
    },
    strict,
  ),
}

export const chatEvents = {
  'chat.message': Type.Object({ message: ChatMessage }, strict),
  'chat.message_changed': Type.Object(
    { message: ChatMessage },
    { ...strict, description: 'A message was edited or deleted.' },
  ),
  'chat.mode': Type.Object({ mode: ChatModeSchema }, strict),
}

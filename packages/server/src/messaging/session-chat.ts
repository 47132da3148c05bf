import { Refusal } from '@lectern/protocol'
import { parseChatId } from '@lectern/protocol/control'
import type { ChatStore } from '../sessions/ports.ts'
import type { MessagePublisher } from './message-publisher.ts'
import type { MessageWriter } from './message-writer.ts'

/** The chats of sessions. The chat of an ordinary conference is a conversation, whose members learn of its messages. */
export function sessionChat(
  store: ChatStore,
  writer: MessageWriter,
  publisher: Pick<MessagePublisher, 'changed'>,
): ChatStore {
  return {
    find: key => store.find(key),
    page: (...query) => store.page(...query),
    after: (...query) => store.after(...query),
    get: (...query) => store.get(...query),
    delete: async (chatId, messageId, atMs) => {
      const deleted = await store.delete(chatId, messageId, atMs)
      const parsed = parseChatId(chatId)
      if (deleted && parsed) await publisher.changed({ ...parsed, id: chatId }, deleted)
      return deleted
    },
    append: async (message, lease) => {
      const parsed = parseChatId(message.chatId)
      if (parsed?.kind !== 'conference') return store.append(message, lease)
      const chat = { ...parsed, id: message.chatId }
      const result = await writer.append({ chat, message, session: lease })
      if (result.is === 'refused' && result.code === 'elsewhere') return null
      if (result.is === 'refused') throw new Refusal(result.code)
      return result.message
    },
  }
}

import { Refusal } from '@lectern/protocol'
import { parseChatId } from '@lectern/protocol/control'
import type { ChatStore } from '../sessions/ports.ts'
import type { MessageWriter } from './message-writer.ts'

/** The chats of sessions. The chat of an ordinary conference is a conversation, whose messages go through its writer. */
export function sessionChat(store: ChatStore, writer: MessageWriter): ChatStore {
  return {
    find: key => store.find(key),
    page: (...query) => store.page(...query),
    after: (...query) => store.after(...query),
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

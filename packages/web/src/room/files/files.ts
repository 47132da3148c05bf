import type { ChatFile, ChatMessage } from '@lectern/protocol/control/client'
import type { Room } from '../room.ts'

interface SentFile {
  file: ChatFile
  message: ChatMessage
}

/** The files of messages that are still there, the newest first. */
export const filesOf = (messages: readonly ChatMessage[]): SentFile[] =>
  messages.flatMap(message => (message.file ? [{ file: message.file, message }] : [])).reverse()

/** Whether there is one to show. */
export const hasFiles = ({ call, features }: Pick<Room, 'call' | 'features'>): boolean =>
  features.chat && filesOf(call.chat.get().messages).length > 0

import { ensure } from '@lectern/protocol'
import { directChat, parseChatId } from '@lectern/protocol/control'
import type { Chat } from './ports.ts'

/** The conversation with this id. Throws `no_such_conversation` for what is not one, or not one of the account. */
export function chatOf(chatId: string, userId: number): Chat {
  const parsed = parseChatId(chatId)
  ensure(parsed, 'no_such_conversation')
  if (parsed.kind === 'conference') return { ...parsed, id: chatId }
  ensure(parsed.userIds.includes(userId), 'no_such_conversation')
  return { ...parsed, id: chatId }
}

export const directChatOf = (userId: number, otherId: number): Chat => ({
  kind: 'direct',
  id: directChat(userId, otherId),
  userIds: [Math.min(userId, otherId), Math.max(userId, otherId)],
})

/** The other account of a direct conversation. */
export const otherOf = ({ userIds }: Extract<Chat, { kind: 'direct' }>, userId: number): number =>
  userIds[0] === userId ? userIds[1] : userIds[0]

/** A message_id of a client. Throws `no_such_message` for what cannot be one. */
export function messageIdOf(text: string): number {
  const id = Number(text)
  ensure(/^\d{1,15}$/.test(text) && id > 0, 'no_such_message')
  return id
}

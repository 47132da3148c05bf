/** The conversation of two accounts. */
export function directChat(userId: number, otherId: number): string {
  return `direct:${Math.min(userId, otherId)}-${Math.max(userId, otherId)}`
}

/** The conversation of an ordinary conference. */
export const conferenceChat = (tag: string): string => `conference:${tag}`

/** The chat that a chat_id names. */
export type ChatRef =
  | { kind: 'direct'; userIds: [lower: number, higher: number] }
  | { kind: 'conference'; tag: string }

/** Null for what is not the id of a conversation. */
export function parseChatId(chatId: string): ChatRef | null {
  const [, lower, higher] = /^direct:([1-9]\d{0,14})-([1-9]\d{0,14})$/.exec(chatId) ?? []
  if (lower && higher) {
    const userIds: [number, number] = [Number(lower), Number(higher)]
    return userIds[0] < userIds[1] ? { kind: 'direct', userIds } : null
  }
  const [, tag] = /^conference:(.+)$/s.exec(chatId) ?? []
  return tag ? { kind: 'conference', tag } : null
}

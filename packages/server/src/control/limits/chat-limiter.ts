import type { Clock } from '../../platform/clock.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'
import type { ChatLimiter } from '../../sessions/ports.ts'
import { CHAT_BURST_SECONDS } from './constants.ts'

/** Per minute; null: without limit. */
export interface ChatRates {
  account: { messages: number; bytes: number } | null
  session: { messages: number; bytes: number } | null
}

interface Limiters<Key> {
  messages: RateLimiter<Key>
  bytes: RateLimiter<Key>
}

/**
 * The rates of chats, in messages and bytes (rules T10 to T12). They belong to the account and to the chat, so that
 * neither more connections nor new ones give more.
 */
export function chatLimiter(clock: Clock, { account, session }: ChatRates): ChatLimiter {
  const limiters = <Key>(rates: { messages: number; bytes: number } | null): Limiters<Key> => ({
    messages: new RateLimiter<Key>(clock, rates?.messages ?? null, CHAT_BURST_SECONDS),
    bytes: new RateLimiter<Key>(clock, rates?.bytes ?? null, CHAT_BURST_SECONDS),
  })
  const [ofAccount, ofChat] = [limiters<number>(account), limiters<string>(session)]
  const waitMs = <Key>({ messages, bytes }: Limiters<Key>, key: Key, size: number) =>
    Math.max(messages.waitMs(key, 1), bytes.waitMs(key, size))
  const charge = <Key>({ messages, bytes }: Limiters<Key>, key: Key, size: number) => {
    messages.charge(key, 1)
    bytes.charge(key, size)
  }
  return {
    take({ userId, chatId, isModerator, bytes }) {
      const ofAccountMs = waitMs(ofAccount, userId, bytes)
      if (ofAccountMs > 0) return { reason: 'too_many_messages', waitMs: ofAccountMs }
      const ofChatMs = isModerator ? 0 : waitMs(ofChat, chatId, bytes)
      if (ofChatMs > 0) return { reason: 'chat_busy', waitMs: ofChatMs }
      charge(ofAccount, userId, bytes)
      charge(ofChat, chatId, bytes)
      return null
    },
  }
}

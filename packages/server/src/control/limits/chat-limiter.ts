import type { Clock } from '../../clock.ts'
import { RateLimiter } from '../../rate-limiter.ts'
import type { ChatLimiter } from '../../sessions/ports.ts'
import { CHAT_BURST_SECONDS } from './constants.ts'

/** Per minute; null: without limit. */
export interface ChatRates {
  account: { messages: number; bytes: number } | null
  session: { messages: number; bytes: number } | null
}

/**
 * The rates of chats, in messages and bytes (rules T10 to T12). They belong to the account and to the session, so that
 * neither more connections nor new ones give more.
 */
export function chatLimiter(clock: Clock, { account, session }: ChatRates): ChatLimiter {
  const limiter = (perMinute: number | undefined) =>
    new RateLimiter<number>(clock, perMinute ?? null, CHAT_BURST_SECONDS)
  const ofAccount = { messages: limiter(account?.messages), bytes: limiter(account?.bytes) }
  const ofSession = { messages: limiter(session?.messages), bytes: limiter(session?.bytes) }
  type Limiters = typeof ofAccount
  const waitMs = ({ messages, bytes }: Limiters, key: number, size: number) =>
    Math.max(messages.waitMs(key, 1), bytes.waitMs(key, size))
  const charge = ({ messages, bytes }: Limiters, key: number, size: number) => {
    messages.charge(key, 1)
    bytes.charge(key, size)
  }
  return {
    take({ userId, sessionId, isModerator, bytes }) {
      const ofAccountMs = waitMs(ofAccount, userId, bytes)
      if (ofAccountMs > 0) return { reason: 'too_many_messages', waitMs: ofAccountMs }
      const ofSessionMs = isModerator ? 0 : waitMs(ofSession, sessionId, bytes)
      if (ofSessionMs > 0) return { reason: 'chat_busy', waitMs: ofSessionMs }
      charge(ofAccount, userId, bytes)
      charge(ofSession, sessionId, bytes)
      return null
    },
  }
}

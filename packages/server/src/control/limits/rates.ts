import type { Config } from '../../platform/config/index.ts'
import type { ChatRates } from './chat-limiter.ts'

const KIB = 1024

/** The rates of the control channel, per minute; null where there are none. */
export function controlRates(limits: Config['Limits']): {
  frames: number | null
  answerBytes: number | null
  notifications: number | null
  chat: ChatRates
  lobby: { account: number | null; address: number | null }
} {
  if (!limits.Enabled)
    return {
      frames: null,
      answerBytes: null,
      notifications: null,
      chat: { account: null, session: null },
      lobby: { account: null, address: null },
    }
  return {
    frames: limits.FramesPerMinute,
    answerBytes: limits.AnswerKilobytesPerMinute * KIB,
    notifications: limits.NotificationsPerMinute,
    lobby: { account: limits.LobbyPerMinute, address: limits.LobbyPerAddressPerMinute },
    chat: {
      account: { messages: limits.ChatMessagesPerMinute, bytes: limits.ChatKilobytesPerMinute * KIB },
      session: {
        messages: limits.SessionChatMessagesPerMinute,
        bytes: limits.SessionChatKilobytesPerMinute * KIB,
      },
    },
  }
}

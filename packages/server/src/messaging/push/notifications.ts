import type { CallRinging, MessageStored, RingingStopped } from '../../domain-events.ts'
import type { PushDelivery, PushPayload } from './ports.ts'
import { type PushTexts, pushTexts } from './texts.ts'

/** A notification before it is known who gets it. */
export interface Notification {
  /** Replaces an earlier one with the same topic. */
  topic: string
  expiresAtMs: number
  payload(texts: PushTexts): PushPayload
}

export const BODY_MAX_CHARACTERS = 120
const TITLE_MAX_CHARACTERS = 80
/** The secret part of links that admit their holder. */
const LINK_SECRET = /(\/(?:j|invite)\/)[\w.~%-]+/g

const callTopic = (callId: string) => `call:${callId}`

/**
 * The notification of a call. It is sent while the call rings; a push service may deliver it later, and it then says
 * what became of the call.
 */
export function callNotification({ call }: Pick<CallRinging, 'call'>): Notification {
  return {
    topic: callTopic(call.id),
    expiresAtMs: call.ringsUntilMs,
    payload: texts => ({
      title: cut(call.inviter.displayName, TITLE_MAX_CHARACTERS),
      body: call.video ? texts.videoCall : texts.call,
      type: 'call',
      url: `/calls/${call.id}`,
      late: { after_ms: call.ringsUntilMs, body: texts.missedCall },
    }),
  }
}

/** Takes the place of the notification of a call that does not ring any more. */
export function callEndedNotification(
  { inviter, id }: RingingStopped['call'],
  reason: RingingStopped['people'][number]['reason'],
  expiresAtMs: number,
): Notification {
  const bodies = {
    missed: 'missedCall',
    answered: 'answeredElsewhere',
    declined: 'declinedElsewhere',
  } as const satisfies Record<typeof reason, keyof PushTexts>
  return {
    topic: callTopic(id),
    expiresAtMs,
    payload: texts => ({
      title: cut(inviter.displayName, TITLE_MAX_CHARACTERS),
      body: texts[bodies[reason]],
      type: 'call_ended',
      url: `/calls/${id}`,
    }),
  }
}

const CHAT_TOPIC = 'chat:'

/** Where a message of a notification is; null: it is of something else, or was stored by an earlier version. */
export function messageOf({ topic, payload }: Pick<PushDelivery, 'topic' | 'payload'>) {
  const { message_id: id } = payload
  if (id === undefined || !topic.startsWith(CHAT_TOPIC)) return null
  return { chatId: topic.slice(CHAT_TOPIC.length), messageId: Number(id) }
}

/** Contact requests are shown as such, because the recipient may not know the sender. */
export function messageNotification(
  { message, chat }: Pick<MessageStored, 'message' | 'chat'>,
  { isRequest, expiresAtMs }: { isRequest: boolean; expiresAtMs: number },
): Notification {
  const isDirect = chat.kind === 'direct'
  return {
    topic: `${CHAT_TOPIC}${chat.id}`,
    expiresAtMs,
    payload: texts => {
      const prefix = isRequest ? texts.contactRequest : isDirect ? '' : message.displayName
      return {
        title: cut(isDirect ? message.displayName : chat.title, TITLE_MAX_CHARACTERS),
        body: cut(prefix ? `${prefix}: ${message.text}` : message.text, BODY_MAX_CHARACTERS),
        type: isRequest ? 'request' : 'message',
        url: `/conversations/${chat.id}`,
        message_id: message.id,
      }
    },
  }
}

/** The test that the command line sends, in the language of the account. */
export const testPayload = (language: string | null): PushPayload => ({
  title: 'Lectern',
  body: pushTexts(language).test,
  type: 'test',
  url: '/',
})

/** One line without secrets, of at most so many characters. */
function cut(text: string, max: number): string {
  const characters = Array.from(text.replace(LINK_SECRET, '$1…').replace(/\s+/g, ' ').trim())
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`
}

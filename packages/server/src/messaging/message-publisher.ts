import type { AccountEvent } from '../control/streams/account-state.ts'
import type { MessageStored } from '../domain-events.ts'
import type { ChatNotice, SessionLease, StoredMessage } from '../sessions/ports.ts'
import { presentMessage } from '../sessions/present.ts'
import type { Chat, Recipient } from './ports.ts'
import type { ConversationStore } from './stores/conversations.ts'

interface MessagePublisherOptions {
  conversations: Pick<ConversationStore, 'recipients'>
  titleOf: (tag: string) => Promise<string>
  publish: (userIds: readonly number[], event: AccountEvent) => void
  /** To the server that runs the session of the conference. */
  notifySession: (notice: ChatNotice) => void
  onStored: (event: MessageStored) => void
}

interface Added {
  chat: Chat
  message: StoredMessage
  /** The lease of the session in which the message was sent. */
  lease?: SessionLease | undefined
}

interface Audience {
  recipients: Recipient[]
  title: string
}

/** Publishes what happens to messages: to the accounts of the members, to the session, and to other parts of the server. */
export class MessagePublisher {
  readonly #parts: MessagePublisherOptions

  constructor(parts: MessagePublisherOptions) {
    this.#parts = parts
  }

  /**
   * Everything that has to be read is read before the first message is published. Returns how many accounts have each of
   * them.
   */
  async added(messages: Added[]): Promise<number[]> {
    const audiences = new Map<string, Promise<Audience>>()
    const keyOf = ({ chat, message }: Added) =>
      chat.kind === 'direct' ? `${chat.id} ${message.userId}` : chat.id
    for (const each of messages)
      if (!audiences.has(keyOf(each))) audiences.set(keyOf(each), this.#audienceOf(each))
    const found = await Promise.all(messages.map(each => audiences.get(keyOf(each)) as Promise<Audience>))
    return messages.map((each, index) => this.#publish(each, found[index] as Audience))
  }

  /** The message was edited or deleted. Returns how many accounts have it. */
  async changed(chat: Chat, message: StoredMessage): Promise<number> {
    const { recipients } = await this.#audienceOf({ chat, message })
    this.#publishTo(recipients, 'message.changed', { chat, message })
    if (chat.kind === 'conference') this.#parts.notifySession({ tag: chat.tag, is: 'changed', message })
    return recipients.length
  }

  /** The event of a message that was stored before, for those members who have not read it, or for one of them. */
  async describe({ chat, message }: Added, memberId?: number): Promise<MessageStored> {
    const { recipients, title } = await this.#audienceOf({ chat, message }, memberId)
    const unread = recipients.filter(({ readId }) => readId < message.messageId)
    return storedEvent({ chat, message }, { recipients: unread, title })
  }

  async #audienceOf({ chat, message }: Added, memberId?: number): Promise<Audience> {
    const { conversations, titleOf } = this.#parts
    const [recipients, title] = await Promise.all([
      conversations.recipients(chat, message.userId, memberId),
      chat.kind === 'conference' ? titleOf(chat.tag) : '',
    ])
    return { recipients, title }
  }

  /** One event for all accounts, so that its body is encoded once. */
  #publishTo(
    recipients: Recipient[],
    name: 'message.added' | 'message.changed',
    { chat, message }: Added,
  ): void {
    const event = { name, body: { chat_id: chat.id, message: presentMessage(message) } }
    this.#parts.publish(
      recipients.map(({ userId }) => userId),
      event,
    )
  }

  #publish({ chat, message, lease }: Added, { recipients, title }: Audience): number {
    this.#publishTo(recipients, 'message.added', { chat, message })
    if (chat.kind === 'conference') this.#parts.notifySession({ tag: chat.tag, is: 'added', message, lease })
    this.#parts.onStored(storedEvent({ chat, message }, { recipients, title }))
    return recipients.length
  }
}

function storedEvent({ chat, message }: Added, { recipients, title }: Audience): MessageStored {
  const { messageId, userId, displayName, sentAtMs } = message
  const text = message.text || (message.file?.name ?? '')
  return {
    message: { id: String(messageId), userId, displayName, text, sentAtMs },
    chat: { id: chat.id, kind: chat.kind, title },
    recipients: recipients.filter(each => each.userId !== userId),
  }
}

import { type Lifetime, Observable } from '@lectern/common'
import { ControlFailure, type SessionView } from '@lectern/control-client'
import type { ChatMessage, CommandBody, ControlEvent, EventBody } from '@lectern/protocol/control/client'
import { Outbox, type PendingMessage } from '../chat/outbox.ts'
import { ReadPosition } from '../chat/read-position.ts'
import type { CurrentSession } from './current-session.ts'
import type { Membership } from './membership.ts'
import { type Control, sessionTarget } from './ports.ts'

export interface ChatState {
  /** Oldest first. */
  messages: readonly ChatMessage[]
  pending: readonly PendingMessage[]
  hasOlder: boolean
  loadingOlder: boolean
}

export interface ChatOptions {
  /** The conversation of the account that this chat is; absent for guests and in partner rooms. */
  conversation?: string
}

/** After this time an unsent message is shown as failed. */
const SEND_TTL_MS = 120_000

/** The chat of the session: delivered messages, and own messages on their way. */
export class Chat extends Observable<ChatState> {
  readonly #control: Control
  readonly #membership: Membership
  readonly #outbox = new Outbox((...message) => this.#transmit(...message))
  /** Own messages can be edited. */
  readonly isEditable: boolean
  readonly #conversationId: string | undefined
  readonly #readPosition: ReadPosition | null
  #session: SessionView | null = null

  constructor(
    control: Control,
    membership: Membership,
    session: CurrentSession,
    { conversation }: ChatOptions,
    lifetime: Lifetime,
  ) {
    super({ messages: [], pending: [], hasOlder: false, loadingOlder: false })
    this.#control = control
    this.#conversationId = conversation
    this.isEditable = conversation !== undefined
    this.#membership = membership
    this.#readPosition = conversation === undefined ? null : new ReadPosition(control, conversation, null)
    lifetime.defer(this.#outbox.subscribe(() => this.#patch({ pending: this.#outbox.get() })))
    lifetime.defer(control.onEvent(this.#onEvent))
    lifetime.defer(session.subscribe(() => this.#onSession(session.get())))
  }

  readonly send = this.#outbox.send
  readonly sendAgain = this.#outbox.sendAgain
  readonly discard = this.#outbox.discard

  /** Edits an own message in a conversation, within a day. Rejects with a ControlFailure. */
  readonly edit = async (messageId: string, text: string): Promise<unknown> =>
    this.#control.command('message.edit', this.#conversation(), { message_id: messageId, text })

  /** An own message, or as a moderator any. Rejects with a ControlFailure. */
  readonly remove = async (messageId: string): Promise<unknown> => {
    const target = this.#target()
    if (!target) throw new ControlFailure('closed')
    return this.#control.command('chat.delete', target, { message_id: messageId })
  }

  /** The account has read the message and those before it, on all its devices. */
  readonly markRead = (messageId: string): void => this.#readPosition?.markRead(messageId)

  readonly loadOlder = async (): Promise<void> => {
    const { messages, hasOlder, loadingOlder } = this.get()
    const target = this.#target()
    const session = this.#session?.conference_session_id
    if (!target || !hasOlder || loadingOlder) return
    this.#patch({ loadingOlder: true })
    const before = messages[0]?.message_id
    try {
      const page = await this.#control.command('chat.history', target, before === undefined ? {} : { before })
      // Another session has another chat, and after a long loss of connection only the newest messages are known.
      if (session !== this.#session?.conference_session_id) return
      if (before !== this.get().messages[0]?.message_id) return
      this.#patch({ messages: [...page.messages, ...this.get().messages], hasOlder: page.has_older })
    } catch {
      // The user can retry.
    } finally {
      this.#patch({ loadingOlder: false })
    }
  }

  async #transmit(body: CommandBody<'chat.send'>, commandId: string): Promise<void> {
    const target = this.#target()
    if (!target) throw new ControlFailure('closed')
    // A rate-limited message fails at once: if it waited, later messages could overtake it.
    await this.#control.command('chat.send', target, body, {
      commandId,
      ttlMs: SEND_TTL_MS,
      whenRateLimited: 'fail',
    })
  }

  /** Messages that the session no longer contains may change, too. */
  readonly #onEvent = ({ name, body }: ControlEvent): void => {
    if (name !== 'chat.message_changed') return
    const { message } = body as EventBody<'chat.message_changed'>
    const { messages } = this.get()
    if (messages.some(each => each.message_id === message.message_id))
      this.#patch({
        messages: messages.map(each => (each.message_id === message.message_id ? message : each)),
      })
  }

  #onSession(session: SessionView | null): void {
    if (!session) return
    const before = this.#session
    const isSame = session.conference_session_id === before?.conference_session_id
    if (isSame && session.messages === before?.messages) {
      this.#session = session
      return
    }
    const known = this.#continuedMessages(session)
    const tail = new Set(session.messages.map(each => each.message_id))
    // Messages that have dropped out of the tail stay: nothing that was read disappears.
    const earlier = known.filter(each => !tail.has(each.message_id))
    const arrived = session.messages.filter(
      each => !known.some(({ message_id }) => message_id === each.message_id),
    )
    this.#session = session
    this.#outbox.onArrived(arrived)
    this.#patch({
      messages: [...earlier, ...session.messages],
      hasOlder: earlier.length > 0 ? this.get().hasOlder : session.has_older_messages,
    })
  }

  /**
   * The known messages that the tail continues: none in another session, or when more arrived than the tail
   * holds.
   */
  #continuedMessages({ conference_session_id, messages }: SessionView): readonly ChatMessage[] {
    const known = this.get().messages
    const newest = known.at(-1)?.message_id
    const same = conference_session_id === this.#session?.conference_session_id
    return same && messages.some(({ message_id }) => message_id === newest) ? known : []
  }

  #conversation() {
    if (this.#conversationId === undefined) throw new ControlFailure('closed')
    return { kind: 'chat', id: this.#conversationId } as const
  }

  #target() {
    const state = this.#membership.get()
    if (state.is === 'joined') return sessionTarget(state.participant)
    // While reconnecting, the message waits for the join, in the session that it was written in.
    const id = this.#session?.conference_session_id
    return id === undefined ? null : ({ kind: 'conference_session', id } as const)
  }

  #patch(change: Partial<ChatState>): void {
    this.set({ ...this.get(), ...change })
  }
}

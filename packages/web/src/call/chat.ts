import { type Lifetime, Observable } from '@lectern/common'
import { ControlFailure, type SessionView } from '@lectern/control-client'
import type { ChatMessage } from '@lectern/protocol/control/client'
import { randomId } from '../random-id.ts'
import type { CurrentSession } from './current-session.ts'
import type { Membership } from './membership.ts'
import { type Control, sessionTarget } from './ports.ts'

/** An own message that the session does not contain yet. */
export interface PendingMessage {
  key: string
  text: string
  /** `code`: the server's reason, such as read_only. `retryAfterMs`: set for rate limits. */
  state: { is: 'sending' } | { is: 'failed'; code: string; retryAfterMs?: number | undefined }
}

export interface ChatState {
  /** Oldest first. */
  messages: readonly ChatMessage[]
  pending: readonly PendingMessage[]
  hasOlder: boolean
  loadingOlder: boolean
}

/** After this time an unsent message is shown as failed. */
const SEND_TTL_MS = 120_000

/** The chat of the session: delivered messages, and own messages on their way. */
export class Chat extends Observable<ChatState> {
  readonly #control: Control
  readonly #membership: Membership
  #session: SessionView | null = null

  constructor(control: Control, membership: Membership, session: CurrentSession, lifetime: Lifetime) {
    super({ messages: [], pending: [], hasOlder: false, loadingOlder: false })
    this.#control = control
    this.#membership = membership
    lifetime.defer(session.subscribe(() => this.#onSession(session.get())))
  }

  readonly send = (text: string): void => {
    const key = randomId()
    this.#patch({ pending: [...this.get().pending, { key, text, state: { is: 'sending' } }] })
    void this.#transmit(key, text)
  }

  /** Sends the text as a new message: the server has refused the old one. */
  readonly sendAgain = (key: string): void => {
    const text = this.get().pending.find(each => each.key === key)?.text
    this.discard(key)
    if (text !== undefined) this.send(text)
  }

  readonly discard = (key: string): void =>
    this.#patch({ pending: this.get().pending.filter(each => each.key !== key) })

  readonly loadOlder = async (): Promise<void> => {
    const { messages, hasOlder, loadingOlder } = this.get()
    const target = this.#target()
    const session = this.#session?.conference_session_id
    if (!target || !hasOlder || loadingOlder) return
    this.#patch({ loadingOlder: true })
    const before = messages[0]?.message_id
    try {
      const page = await this.#control.command('chat.history', target, before === undefined ? {} : { before })
      // Another session has another chat.
      if (session !== this.#session?.conference_session_id) return
      this.#patch({ messages: [...page.messages, ...this.get().messages], hasOlder: page.has_older })
    } catch {
      // The user can retry.
    } finally {
      this.#patch({ loadingOlder: false })
    }
  }

  async #transmit(key: string, text: string): Promise<void> {
    const target = this.#target()
    try {
      if (!target) throw new ControlFailure('closed')
      // A rate-limited message fails at once: if it waited, later messages could overtake it.
      const options = { ttlMs: SEND_TTL_MS, whenRateLimited: 'fail' } as const
      await this.#control.command('chat.send', target, { text }, options)
      this.discard(key)
    } catch (error) {
      const { code, reason, retryAfterMs } =
        error instanceof ControlFailure ? error : new ControlFailure('closed')
      const state = { is: 'failed', code: reason ?? code, retryAfterMs } as const
      const failed = (each: PendingMessage): PendingMessage => ({ ...each, state })
      this.#patch({ pending: this.get().pending.map(each => (each.key === key ? failed(each) : each)) })
    }
  }

  #onSession(session: SessionView | null): void {
    if (!session || session === this.#session) return
    const known = this.#continuedMessages(session)
    const tail = new Set(session.messages.map(each => each.message_id))
    // Messages that have dropped out of the tail stay: nothing that was read disappears.
    const earlier = known.filter(each => !tail.has(each.message_id))
    const arrived = session.messages.filter(
      each => !known.some(({ message_id }) => message_id === each.message_id),
    )
    this.#session = session
    this.#patch({
      messages: [...earlier, ...session.messages],
      pending: this.#undelivered(arrived),
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

  /** The session may contain an own message before the command is acknowledged; then it is no longer pending. */
  #undelivered(arrived: ChatMessage[]): PendingMessage[] {
    const state = this.#control.state.get()
    const self = 'user' in state ? String(state.user.user_id) : null
    const texts = arrived.filter(each => each.user_id === self).map(each => each.text)
    return this.get().pending.filter(({ text, state: { is } }) => {
      const at = is === 'sending' ? texts.indexOf(text) : -1
      if (at >= 0) texts.splice(at, 1)
      return at < 0
    })
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

import { Observable } from '@lectern/common'
import { ControlFailure } from '@lectern/control-client'
import { randomId } from '../random-id.ts'

/** An own message that has not arrived yet. */
export interface PendingMessage {
  key: string
  text: string
  /** `code`: the server's reason, such as read_only. `retryAfterMs`: set for rate limits. */
  state: { is: 'sending' } | { is: 'failed'; code: string; retryAfterMs?: number | undefined }
}

/** Own messages on their way, in the order in which they were written. */
export class Outbox extends Observable<readonly PendingMessage[]> {
  readonly #transmit: (text: string) => Promise<unknown>

  /** `transmit` resolves when the server has stored the message, and rejects with a ControlFailure. */
  constructor(transmit: (text: string) => Promise<unknown>) {
    super([])
    this.#transmit = transmit
  }

  readonly send = (text: string): void => {
    const key = randomId()
    this.set([...this.get(), { key, text, state: { is: 'sending' } }])
    void this.#send(key, text)
  }

  /** Sends the text as a new message: the server has refused the old one. */
  readonly sendAgain = (key: string): void => {
    const text = this.get().find(each => each.key === key)?.text
    this.discard(key)
    if (text !== undefined) this.send(text)
  }

  readonly discard = (key: string): void => {
    if (this.get().some(each => each.key === key)) this.set(this.get().filter(each => each.key !== key))
  }

  /** Own messages with these texts have arrived, maybe before their commands are acknowledged. */
  readonly onArrived = (arrived: readonly string[]): void => {
    const texts = [...arrived]
    const left = this.get().filter(({ text, state: { is } }) => {
      const at = is === 'sending' ? texts.indexOf(text) : -1
      if (at >= 0) texts.splice(at, 1)
      return at < 0
    })
    if (left.length < this.get().length) this.set(left)
  }

  async #send(key: string, text: string): Promise<void> {
    try {
      await this.#transmit(text)
      this.discard(key)
    } catch (error) {
      const { code, reason, retryAfterMs } =
        error instanceof ControlFailure ? error : new ControlFailure('closed')
      const state = { is: 'failed', code: reason ?? code, retryAfterMs } as const
      this.set(this.get().map(each => (each.key === key ? { ...each, state } : each)))
    }
  }
}

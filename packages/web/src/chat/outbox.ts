import { Observable } from '@lectern/common'
import { ControlFailure } from '@lectern/control-client'
import type { ChatFile, ChatMessage, CommandBody } from '@lectern/protocol/control/client'
import { keepPageUntil } from '../keep-page.ts'
import { randomId } from '../random-id.ts'

/** An own message that has not arrived yet. */
export interface PendingMessage {
  /** The id of its command. */
  key: string
  text: string
  file?: ChatFile | undefined
  /** `code`: the server's reason, such as read_only. `retryAfterMs`: set for rate limits. */
  state: { is: 'sending' } | { is: 'failed'; code: string; retryAfterMs?: number | undefined }
}

/** Resolves when the server has stored the message, and rejects with a ControlFailure. */
type Transmit = (body: CommandBody<'chat.send'>, commandId: string) => Promise<unknown>

/** Own messages on their way, in the order in which they were written. */
export class Outbox extends Observable<readonly PendingMessage[]> {
  readonly #transmit: Transmit

  constructor(transmit: Transmit) {
    super([])
    this.#transmit = transmit
  }

  /** A text, files, or both: the text belongs to the first file. */
  readonly send = (text: string, files: readonly ChatFile[] = []): void => {
    const [first, ...others] = files
    this.#add(text, first)
    for (const file of others) this.#add('', file)
  }

  /** Sends it as a new message: the server has refused the old one. */
  readonly sendAgain = (key: string): void => {
    const message = this.get().find(each => each.key === key)
    this.discard(key)
    if (message) this.#add(message.text, message.file)
  }

  readonly discard = (key: string): void => {
    if (this.get().some(each => each.key === key)) this.set(this.get().filter(each => each.key !== key))
  }

  /** Messages of anybody. Own ones may arrive before the results of their commands, or although these were lost. */
  readonly onArrived = (arrived: readonly Pick<ChatMessage, 'command_id'>[]): void => {
    for (const { command_id } of arrived) if (command_id !== undefined) this.discard(command_id)
  }

  #add(text: string, file: ChatFile | undefined): void {
    const key = randomId()
    this.set([...this.get(), { key, text, file, state: { is: 'sending' } }])
    void this.#send(key, { ...(text !== '' && { text }), ...(file && { file_id: file.file_id }) })
  }

  async #send(key: string, body: CommandBody<'chat.send'>): Promise<void> {
    try {
      await keepPageUntil(this.#transmit(body, key))
      this.discard(key)
    } catch (error) {
      const { code, reason, retryAfterMs } =
        error instanceof ControlFailure ? error : new ControlFailure('closed')
      const state = { is: 'failed', code: reason ?? code, retryAfterMs } as const
      this.set(this.get().map(each => (each.key === key ? { ...each, state } : each)))
    }
  }
}

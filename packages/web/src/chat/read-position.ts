import type { ControlClient } from '@lectern/control-client'

/** Reports how far a conversation was read: only forward, and one command at a time. */
export class ReadPosition {
  readonly #control: Pick<ControlClient, 'command'>
  readonly #chatId: string
  #reported: number
  #read = 0
  #isReporting = false

  /** `readUpTo`: the position that the server knows. */
  constructor(control: Pick<ControlClient, 'command'>, chatId: string, readUpTo: string | null) {
    this.#control = control
    this.#chatId = chatId
    this.#reported = Number(readUpTo ?? 0)
  }

  readonly markRead = (messageId: string): void => {
    this.#read = Math.max(this.#read, Number(messageId))
    void this.#report()
  }

  async #report(): Promise<void> {
    if (this.#isReporting) return
    this.#isReporting = true
    try {
      while (this.#read > this.#reported) {
        const position = this.#read
        const target = { kind: 'chat', id: this.#chatId } as const
        await this.#control.command('message.read', target, { message_id: String(position) })
        this.#reported = position
      }
    } catch {
      // The next message that is read reports again.
    } finally {
      this.#isReporting = false
    }
  }
}

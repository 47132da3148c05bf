import { setTimeout as sleep } from 'node:timers/promises'
import { ControlFailure } from '@lectern/control-client'
import type { ChatMember } from './chat-member.ts'
import type { Progress } from './progress.ts'

/** A member that sends numbered messages, each after the acknowledgement of the one before. */
export class ChatAuthor {
  readonly name: string
  readonly member: ChatMember
  /** The numbers of acknowledged messages, and of those whose outcome is not known. */
  readonly acknowledged = new Set<number>()
  readonly unknown = new Set<number>()
  readonly #stopped = new AbortController()
  #sending: Promise<void> | null = null

  constructor(name: string, member: ChatMember) {
    this.name = name
    this.member = member
  }

  start(progress: Progress, pauseMs: () => number): void {
    this.#sending = this.#send(progress, pauseMs)
  }

  /** Resolves when the last message has an outcome. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#sending
  }

  async #send(progress: Progress, pauseMs: () => number): Promise<void> {
    const { signal } = this.#stopped
    for (let number = 1; !signal.aborted; number++) {
      const sentAt = performance.now()
      try {
        await this.member.send(`${this.name} ${number}`)
        progress.chat.add(performance.now() - sentAt)
        this.acknowledged.add(number)
      } catch (error) {
        if (!(error instanceof ControlFailure)) throw error
        this.unknown.add(number) // it may be stored
        progress.failed('chat', error)
        if (error.code !== 'closed') await this.member.join().catch(() => {})
      }
      await sleep(pauseMs(), undefined, { signal }).catch(() => {})
    }
  }
}

import type { RandomChoices } from '@lectern/common/testing'
import type { SessionParts } from '../ports.ts'

/** Makes stores slow, lets them fail before or after a write, and kills the server that uses them. */
export class FaultInjector {
  readonly #random: RandomChoices
  #isDead = false
  #inProgress = 0
  /** The probability of a failure, before and after each call. */
  failureRate = 0.02

  constructor(random: RandomChoices) {
    this.#random = random
  }

  wrap = (parts: SessionParts): SessionParts => ({
    ...parts,
    sessions: this.#wrapAll(parts.sessions),
    participants: this.#wrapAll(parts.participants),
    chat: this.#wrapAll(parts.chat),
    events: this.#silenceAll(parts.events),
    media: this.#silenceAll(parts.media),
  })

  /** Writes in progress complete; nothing else starts, and no call returns. */
  async kill(): Promise<void> {
    this.#isDead = true
    while (this.#inProgress > 0) await new Promise(setImmediate)
  }

  #wrapAll<T extends object>(store: T): T {
    const entries = Object.entries(store).map(([name, call]) => [
      name,
      async (...args: unknown[]) => {
        for (let waits = this.#random.below(4); waits > 0; waits--) await new Promise(setImmediate)
        if (this.#isDead) return new Promise(() => {})
        if (this.#random.chance(this.failureRate)) throw new Error('store: not written')
        this.#inProgress++
        const answer = await (call as (...args: unknown[]) => Promise<unknown>)(...args).finally(
          () => this.#inProgress--,
        )
        if (this.#isDead) return new Promise(() => {})
        if (this.#random.chance(this.failureRate)) throw new Error('store: written, answer lost')
        return answer
      },
    ])
    return Object.fromEntries(entries) as T
  }

  #silenceAll<T extends object>(sink: T): T {
    return new Proxy(sink, {
      get: (target, name) => {
        const call = target[name as keyof T] as (...args: unknown[]) => unknown
        return (...args: unknown[]) => (this.#isDead ? undefined : call.apply(target, args))
      },
    })
  }
}

import {
  type HeardPartial,
  type HeardPhrase,
  PARTIAL_TEXT_MAX,
  PHRASES_AT_ONCE_MAX,
} from '@lectern/protocol/control'
import type { HeldJob } from '@lectern/worker-kit'

/** Tells the session what is heard: phrases in order, and of what goes on the newest. */
export class Teller {
  readonly #say: HeldJob['say']
  #phrases: HeardPhrase[] = []
  readonly #partials = new Map<string, string>()
  #telling: Promise<void> | null = null

  constructor(say: HeldJob['say']) {
    this.#say = say
  }

  phrases(phrases: HeardPhrase[]): void {
    for (const { participant_id } of phrases) this.#partials.delete(participant_id)
    this.#phrases.push(...phrases)
    this.#tell()
  }

  partial(participantId: string, text: string): void {
    this.#partials.set(participantId, [...text].slice(-PARTIAL_TEXT_MAX).join(''))
    this.#tell()
  }

  /** Resolves when everything was told, or nobody listens any more. */
  async done(): Promise<void> {
    while (this.#telling) await this.#telling
  }

  #tell(): void {
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = null
    })
  }

  async #tellAll(): Promise<void> {
    while (this.#phrases.length > 0 || this.#partials.size > 0) {
      const phrases = this.#phrases.splice(0, PHRASES_AT_ONCE_MAX)
      // Rejected when the job is another worker's, and then it is nobody's to hear.
      await this.#say({ phrases, partials: this.#takePartials() }).catch(() => {})
    }
  }

  #takePartials(): HeardPartial[] {
    const taken = [...this.#partials].slice(0, PHRASES_AT_ONCE_MAX)
    for (const [participantId] of taken) this.#partials.delete(participantId)
    return taken.map(([participant_id, text]) => ({ participant_id, text }))
  }
}

import { coalesced } from '@lectern/common'
import {
  PARTIAL_TEXT_MAX,
  PHRASES_PER_COMMAND_MAX,
  type RecognizedPartial,
  type RecognizedPhrase,
} from '@lectern/protocol/control'
import type { HeldJob } from '@lectern/worker-kit'

/** Publishes phrases to the session in order, and the newest partial of each speaker. */
export class CaptionPublisher {
  readonly #send: HeldJob['publishPhrases']
  #phrases: RecognizedPhrase[] = []
  readonly #partials = new Map<string, string>()
  readonly #publish = coalesced(() => this.#publishAll())

  constructor(publishPhrases: HeldJob['publishPhrases']) {
    this.#send = publishPhrases
  }

  phrases(phrases: RecognizedPhrase[]): void {
    for (const { participant_id } of phrases) this.#partials.delete(participant_id)
    this.#phrases.push(...phrases)
    void this.#publish()
  }

  partial(participantId: string, text: string): void {
    this.#partials.set(participantId, [...text].slice(-PARTIAL_TEXT_MAX).join(''))
    void this.#publish()
  }

  /** Resolves when everything is published, or the job was lost. */
  async flush(): Promise<void> {
    await this.#publish()
  }

  async #publishAll(): Promise<void> {
    while (this.#phrases.length > 0 || this.#partials.size > 0) {
      const phrases = this.#phrases.splice(0, PHRASES_PER_COMMAND_MAX)
      // Rejects only when another worker holds the job; then the phrases are obsolete.
      await this.#send({ phrases, partials: this.#takePartials() }).catch(() => {})
    }
  }

  #takePartials(): RecognizedPartial[] {
    const taken = [...this.#partials].slice(0, PHRASES_PER_COMMAND_MAX)
    for (const [participantId] of taken) this.#partials.delete(participantId)
    return taken.map(([participant_id, text]) => ({ participant_id, text }))
  }
}

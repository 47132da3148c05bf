import { Observable } from '@lectern/common'
import type { InputKind } from '../devices/port.ts'

export interface Question {
  kind: InputKind
  /** The host of the embedding page, as the person sees it. */
  host: string
}

export type Answer = 'accepted' | 'declined' | 'busy'

/** Asks the person for consent before a device is turned on. One request at a time. */
export class Consent extends Observable<Question | null> {
  #answer: (answer: Answer) => void = () => {}

  constructor() {
    super(null)
  }

  /** Resolves when the person has answered; at once with `busy` while another question is on the screen. */
  ask(question: Question): Promise<Answer> {
    if (this.get()) return Promise.resolve('busy')
    const answered = new Promise<Answer>(resolve => {
      this.#answer = resolve
    })
    this.set(question)
    return answered
  }

  readonly accept = (): void => this.#close('accepted')

  /** Also when the question has lost its meaning. */
  readonly decline = (): void => this.#close('declined')

  #close(answer: Answer): void {
    this.#answer(answer)
    this.set(null)
  }
}

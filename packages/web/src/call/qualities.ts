import type { IncomingSignal } from '@lectern/control-client'
import { Observable } from '../observable.ts'
import type { Lifetime } from './lifetime.ts'
import type { Control } from './ports.ts'

export type Quality = 'good' | 'fair' | 'poor'

/** The server's score goes from 0 to 10. */
const qualityOf = (score: number): Quality => {
  if (score >= 8) return 'good'
  return score >= 5 ? 'fair' : 'poor'
}

/** How well each participant is connected, as far as the server has said. */
export class Qualities extends Observable<ReadonlyMap<string, Quality>> {
  constructor(control: Control, life: Lifetime) {
    super(new Map())
    life.own(control.onSignal(signal => this.#hear(signal)))
  }

  /** The source is the participant that it is about. */
  #hear({ name, sourceId, body }: IncomingSignal): void {
    if (name !== 'connection.quality') return
    const { score } = body as { score: number }
    this.set(new Map(this.get()).set(sourceId, qualityOf(score)))
  }
}

import { type Lifetime, Observable } from '@lectern/common'
import type { IncomingSignal } from '@lectern/control-client'
import type { Control } from './ports.ts'

export type Quality = 'good' | 'fair' | 'poor'

/** The server's score is 0 to 10. */
const qualityOf = (score: number): Quality => {
  if (score >= 8) return 'good'
  return score >= 5 ? 'fair' : 'poor'
}

/** The connection quality of each participant, as far as the server has reported it. */
export class ConnectionQualities extends Observable<ReadonlyMap<string, Quality>> {
  constructor(control: Control, lifetime: Lifetime) {
    super(new Map())
    lifetime.defer(control.onSignal(signal => this.#onSignal(signal)))
  }

  /** `sourceId` is the participant whose quality is reported. */
  #onSignal({ name, sourceId, body }: IncomingSignal): void {
    if (name !== 'connection.quality') return
    const { score } = body as { score: number }
    this.set(new Map(this.get()).set(sourceId, qualityOf(score)))
  }
}

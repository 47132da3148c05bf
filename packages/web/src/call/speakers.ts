import type { IncomingSignal } from '@lectern/control-client'
import { Observable } from '../observable.ts'
import type { Lifetime } from './lifetime.ts'
import type { Control } from './ports.ts'

export interface SpeakersState {
  /** The participant who speaks, or spoke last. */
  active: string | null
  /** How loud each one is, 0 to 1; who is silent is missing. */
  levels: Readonly<Record<string, number>>
}

/** Who speaks, as the server hears it. */
export class Speakers extends Observable<SpeakersState> {
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(control: Control, life: Lifetime) {
    super({ active: null, levels: {} })
    life.own(control.onSignal(signal => this.#hear(signal)))
    life.own(() => clearTimeout(this.#timer))
  }

  #hear({ name, body, ttlMs }: IncomingSignal): void {
    if (name === 'speaker.active') {
      const { participant_id } = body as { participant_id: string | null }
      this.set({ ...this.get(), active: participant_id })
    }
    if (name !== 'audio.levels') return
    const loudness = Object.entries((body as { levels: Record<string, number> }).levels)
    this.set({ ...this.get(), levels: Object.fromEntries(loudness.map(([id, dBov]) => [id, heard(dBov)])) })
    clearTimeout(this.#timer)
    // No news is silence.
    this.#timer = setTimeout(() => this.set({ ...this.get(), levels: {} }), ttlMs)
  }
}

const SILENCE_DBOV = -60

/** The server tells dBov, 0 for the loudest there is. */
const heard = (dBov: number) => Math.min(Math.max(1 - dBov / SILENCE_DBOV, 0), 1)

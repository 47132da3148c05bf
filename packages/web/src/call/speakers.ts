import { type Lifetime, Observable } from '@lectern/common'
import type { ConnectionState, IncomingSignal } from '@lectern/control-client'
import type { Control } from './ports.ts'

export interface SpeakersState {
  /** The participant who speaks, or spoke last; null: nobody did, or that is unknown. */
  active: string | null
  /** Loudness from 0 to 1; silent participants are missing. */
  levels: Readonly<Record<string, number>>
}

/** The active speaker and the audio levels, as reported by the server. */
export class Speakers extends Observable<SpeakersState> {
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(control: Control, lifetime: Lifetime) {
    super({ active: null, levels: {} })
    lifetime.defer(control.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(control.state.subscribe(() => this.#onState(control.state.get())))
    lifetime.defer(() => clearTimeout(this.#timer))
  }

  /** The speaker is unknown while nothing is received. */
  #onState({ is }: ConnectionState): void {
    if (is !== 'ready' && this.get().active !== null) this.set({ ...this.get(), active: null })
  }

  #onSignal({ name, body, ttlMs }: IncomingSignal): void {
    if (name === 'speaker.active') {
      const { participant_id } = body as { participant_id: string | null }
      this.set({ ...this.get(), active: participant_id })
    }
    if (name !== 'audio.levels') return
    const loudness = Object.entries((body as { levels: Record<string, number> }).levels)
    this.set({
      ...this.get(),
      levels: Object.fromEntries(loudness.map(([id, dBov]) => [id, loudnessOf(dBov)])),
    })
    clearTimeout(this.#timer)
    // No signal means silence.
    this.#timer = setTimeout(() => this.set({ ...this.get(), levels: {} }), ttlMs)
  }
}

const SILENCE_DBOV = -60

/** The server reports dBov; 0 is the maximum. */
const loudnessOf = (dBov: number) => Math.min(Math.max(1 - dBov / SILENCE_DBOV, 0), 1)

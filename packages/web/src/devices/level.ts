import { Observable } from '@lectern/common'
import type { Input } from './input.ts'

/** Measures the level of a track. Returns the function that stops it. */
export type MeterTrack = (track: MediaStreamTrack, report: (level: number) => void) => () => void

/** Loudness of the microphone, from 0 to 1. Measured only while there are subscribers. */
export class Level extends Observable<number> {
  readonly #microphone: Input
  readonly #meterTrack: MeterTrack
  #unsubscribe = () => {}
  #stop = () => {}
  #track: MediaStreamTrack | null = null

  constructor(microphone: Input, listen: MeterTrack) {
    super(0)
    this.#microphone = microphone
    this.#meterTrack = listen
  }

  protected override onFirstSubscribe(): void {
    this.#unsubscribe = this.#microphone.subscribe(() => this.#onMicrophone())
    this.#onMicrophone()
  }

  protected override onLastUnsubscribe(): void {
    this.#unsubscribe()
    this.#setTrack(null)
  }

  #onMicrophone(): void {
    const state = this.#microphone.get()
    this.#setTrack(state.is === 'on' ? state.track : null)
  }

  #setTrack(track: MediaStreamTrack | null): void {
    if (track === this.#track) return
    this.#track = track
    this.#stop()
    this.set(0)
    // In steps, to render only visible changes.
    this.#stop = track ? this.#meterTrack(track, level => this.set(Math.round(level * 20) / 20)) : () => {}
  }
}

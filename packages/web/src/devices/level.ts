import { Observable } from '@lectern/common'
import type { Input } from './input.ts'

/** How the level of a track is heard: returns the way to stop. */
export type MeterTrack = (track: MediaStreamTrack, tell: (level: number) => void) => () => void

/** How loud the microphone is, from 0 to 1. Nothing is measured while nobody looks. */
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
    // In steps, so that the page is drawn only when the eye would see it.
    this.#stop = track ? this.#meterTrack(track, level => this.set(Math.round(level * 20) / 20)) : () => {}
  }
}

import { Observable } from '@lectern/common'
import type { StoredValue } from '../stored-value.ts'
import type { NoiseSuppressor, SuppressorFailure } from './noise-suppressor.ts'
import type { AudioProcessing } from './port.ts'

export const NOISE_SUPPRESSIONS = ['off', 'standard', 'strong'] as const
/** `standard` is the browser's own, `strong` is RNNoise. */
export type NoiseSuppression = (typeof NOISE_SUPPRESSIONS)[number]

export interface MicrophoneModeState {
  noise: NoiseSuppression
  /** Instruments and singing: nothing is removed, and both channels are sent. */
  isMusic: boolean
  /** Why the browser's own suppression replaces the strong one; null: it does not. */
  fallback: SuppressorFailure | null
}

interface Stored {
  noise: StoredValue
  music: StoredValue
}

/** Standard. */
export const SPEECH: AudioProcessing = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
}
const MUSIC: AudioProcessing = {
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
  channelCount: 2,
}

/** How the microphone's sound is processed before it is sent. Remembered by the browser. */
export class MicrophoneMode extends Observable<MicrophoneModeState> {
  readonly #stored: Stored
  readonly #suppressor: NoiseSuppressor

  constructor(stored: Stored, suppressor: NoiseSuppressor) {
    const noise = NOISE_SUPPRESSIONS.find(each => each === stored.noise.get()) ?? 'standard'
    super({ noise, isMusic: stored.music.get() === 'on', fallback: null })
    this.#stored = stored
    this.#suppressor = suppressor
  }

  /** Takes effect when the microphone is opened again. */
  chooseNoise(noise: NoiseSuppression): void {
    this.#stored.noise.set(noise)
    this.set({ ...this.get(), noise, fallback: null })
  }

  /** Takes effect when the microphone is opened again. */
  chooseMusic(isMusic: boolean): void {
    this.#stored.music.set(isMusic ? 'on' : 'off')
    this.set({ ...this.get(), isMusic, fallback: null })
  }

  /** The processing that the browser is to do for the microphone that will be opened. Loads what is needed. */
  async prepare(): Promise<AudioProcessing> {
    if (this.get().isMusic) return MUSIC
    const fallback = this.#wantsStrong ? await this.#suppressor.load() : null
    this.#setFallback(fallback)
    // Two suppressions in a row distort speech.
    const { noise } = this.get()
    const noiseSuppression = noise === 'standard' || (noise === 'strong' && fallback !== null)
    return { ...SPEECH, noiseSuppression }
  }

  /** Returns the track to send for the device's track. */
  readonly process = (device: MediaStreamTrack): MediaStreamTrack => {
    const { isMusic, fallback } = this.get()
    if (isMusic) device.contentHint = 'music'
    if (!this.#wantsStrong || fallback) return device
    const suppressed = this.#suppressor.suppress(device)
    if (suppressed) return suppressed
    this.#setFallback('failed')
    device.applyConstraints({ noiseSuppression: true }).catch(() => {})
    return device
  }

  /** The browser has stopped or continued to process audio. True when the track has to be processed again. */
  handleRunning(isRunning: boolean): boolean {
    const { fallback } = this.get()
    if (!this.#wantsStrong || (fallback !== null && fallback !== 'waiting')) return false
    const next = isRunning ? null : 'waiting'
    if (fallback === next) return false
    this.#setFallback(next)
    return true
  }

  get #wantsStrong(): boolean {
    const { noise, isMusic } = this.get()
    return noise === 'strong' && !isMusic
  }

  #setFallback(fallback: SuppressorFailure | null): void {
    if (fallback !== this.get().fallback) this.set({ ...this.get(), fallback })
  }
}

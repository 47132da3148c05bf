import { Observable } from '../../observable.ts'
import type { CaptureScreen } from '../ports.ts'
import type { Wanted } from './outgoing.ts'

export interface ScreenState {
  on: boolean
  /** The browser asks what to share. */
  busy: boolean
  track: MediaStreamTrack | null
  /** The browser could not share it. That a person changed their mind is no failure. */
  failed: boolean
}

interface Publisher {
  want(wanted: Wanted): void
}

/** The own screen, maybe with its sound. It ends with the page's button or with the browser's own. */
export class Screen extends Observable<ScreenState> {
  readonly #video: Publisher
  readonly #audio: Publisher
  readonly #capture: CaptureScreen
  #sound: MediaStreamTrack | null = null
  #closed = false

  constructor(publishers: { video: Publisher; audio: Publisher }, capture: CaptureScreen) {
    super({ on: false, busy: false, track: null, failed: false })
    this.#video = publishers.video
    this.#audio = publishers.audio
    this.#capture = capture
  }

  readonly start = async (): Promise<void> => {
    const { on, busy } = this.get()
    if (on || busy) return
    this.#show({ busy: true, failed: false })
    try {
      const { video, audio } = await this.#capture()
      if (this.#closed) return stopAll(video, audio)
      video.addEventListener('ended', () => this.get().track === video && this.stop(), { once: true })
      this.#sound = audio
      this.#show({ on: true, busy: false, track: video })
    } catch (error) {
      const declined = error instanceof Error && error.name === 'NotAllowedError'
      this.#show({ busy: false, failed: !declined })
    }
  }

  readonly stop = (): void => {
    const { track } = this.get()
    const sound = this.#sound
    this.#sound = null
    this.#show({ on: false, track: null })
    stopAll(track, sound)
  }

  close(): void {
    this.#closed = true
    this.stop()
  }

  #show(change: Partial<ScreenState>): void {
    this.set({ ...this.get(), ...change })
    const { track } = this.get()
    this.#video.want(track && { track, paused: false })
    this.#audio.want(this.#sound && { track: this.#sound, paused: false })
  }
}

const stopAll = (...tracks: (MediaStreamTrack | null)[]) => {
  for (const track of tracks) track?.stop()
}

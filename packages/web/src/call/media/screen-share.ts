import { Observable } from '@lectern/common'
import type { CaptureScreen } from '../ports.ts'
import type { DesiredTrack } from './publisher.ts'

export interface ScreenShareState {
  on: boolean
  /** The browser shows its dialog. */
  busy: boolean
  track: MediaStreamTrack | null
  /** The browser could not share the screen. A cancelled dialog is not a failure. */
  failed: boolean
}

interface TrackSink {
  setDesired(desired: DesiredTrack): void
}

/** Sharing of the own screen, with audio if there is any. The page's button or the browser's own ends it. */
export class ScreenShare extends Observable<ScreenShareState> {
  readonly #video: TrackSink
  readonly #audio: TrackSink
  readonly #capture: CaptureScreen
  #audioTrack: MediaStreamTrack | null = null
  #closed = false

  constructor(publishers: { video: TrackSink; audio: TrackSink }, capture: CaptureScreen) {
    super({ on: false, busy: false, track: null, failed: false })
    this.#video = publishers.video
    this.#audio = publishers.audio
    this.#capture = capture
  }

  readonly start = async (): Promise<void> => {
    const { on, busy } = this.get()
    if (on || busy) return
    this.#patch({ busy: true, failed: false })
    try {
      const { video, audio } = await this.#capture()
      if (this.#closed) return stopAll(video, audio)
      video.addEventListener('ended', () => this.get().track === video && this.stop(), { once: true })
      this.#audioTrack = audio
      this.#patch({ on: true, busy: false, track: video })
    } catch (error) {
      const declined = error instanceof Error && error.name === 'NotAllowedError'
      this.#patch({ busy: false, failed: !declined })
    }
  }

  readonly stop = (): void => {
    const { track } = this.get()
    const sound = this.#audioTrack
    this.#audioTrack = null
    this.#patch({ on: false, track: null })
    stopAll(track, sound)
  }

  close(): void {
    this.#closed = true
    this.stop()
  }

  #patch(change: Partial<ScreenShareState>): void {
    this.set({ ...this.get(), ...change })
    const { track } = this.get()
    this.#video.setDesired(track && { track, paused: false })
    this.#audio.setDesired(this.#audioTrack && { track: this.#audioTrack, paused: false })
  }
}

const stopAll = (...tracks: (MediaStreamTrack | null)[]) => {
  for (const track of tracks) track?.stop()
}

import { Observable } from '@lectern/common'
import type { CaptureScreen } from '../ports.ts'
import type { DesiredTrack } from './publisher.ts'
import { ShareFailure, type ShareProblem } from './share-problem.ts'

export interface ScreenShareState {
  on: boolean
  /** The browser shows its dialog. */
  busy: boolean
  track: MediaStreamTrack | null
  /** The sound of the shared tab or system; `none`: the browser or the user shares none; `forbidden` by a moderator. */
  sound: 'none' | 'on' | 'off' | 'forbidden'
  /** Why the last attempt has failed. A closed dialog is no failure. */
  problem: ShareProblem | null
  /** Smooth video matters more than sharp text. */
  isForVideo: boolean
}

/** The property that the browser preserves when it cannot send everything, and how often it captures. */
const TEXT = { contentHint: 'text', frameRate: { ideal: 15, max: 30 } }
const VIDEO = { contentHint: 'motion', frameRate: { ideal: 30, max: 30 } }

interface TrackSink {
  setDesired(desired: DesiredTrack): void
}

/** Sharing of the own screen, with its sound if there is any. The page's button or the browser's own ends it. */
export class ScreenShare extends Observable<ScreenShareState> {
  readonly #video: TrackSink
  readonly #audio: TrackSink
  readonly #capture: CaptureScreen
  #audioTrack: MediaStreamTrack | null = null
  #isSoundPermitted = true
  #closed = false

  constructor(publishers: { video: TrackSink; audio: TrackSink }, capture: CaptureScreen) {
    super({ on: false, busy: false, track: null, sound: 'none', isForVideo: false, problem: null })
    this.#video = publishers.video
    this.#audio = publishers.audio
    this.#capture = capture
  }

  readonly start = async (): Promise<void> => {
    const { on, busy } = this.get()
    if (on || busy) return
    this.#patch({ busy: true, problem: null })
    try {
      const { video, audio } = await this.#capture()
      if (this.#closed) return stopAll(video, audio)
      video.addEventListener('ended', () => this.get().track === video && this.stop(), { once: true })
      audio?.addEventListener('ended', () => this.#onSoundEnded(audio), { once: true })
      this.#audioTrack = audio
      video.contentHint = TEXT.contentHint
      const sound = this.#isSoundPermitted ? 'on' : 'forbidden'
      if (audio) audio.enabled = this.#isSoundPermitted
      this.#patch({ on: true, busy: false, track: video, sound: audio ? sound : 'none', isForVideo: false })
    } catch (error) {
      this.#patch({ busy: false, problem: error instanceof ShareFailure ? error.problem : null })
    }
  }

  /** Each share begins with sharp text. */
  readonly optimiseForVideo = (isForVideo: boolean): void => {
    const { track } = this.get()
    if (!track) return
    const { contentHint, frameRate } = isForVideo ? VIDEO : TEXT
    track.contentHint = contentHint
    // A browser that cannot change the rate keeps it.
    track.applyConstraints({ frameRate }).catch(() => {})
    this.#patch({ isForVideo })
  }

  readonly stop = (): void => {
    const { track } = this.get()
    const sound = this.#audioTrack
    this.#audioTrack = null
    this.#patch({ on: false, track: null, sound: 'none' })
    stopAll(track, sound)
  }

  /** Pauses and resumes the sound; the screen continues. */
  readonly toggleSound = (): void => {
    const { sound } = this.get()
    if (sound === 'off') this.#setSound('on')
    else this.turnSoundOff()
  }

  turnSoundOff(): void {
    if (this.get().sound === 'on') this.#setSound('off')
  }

  /** Permits sound or not. Sound that is permitted again stays off until the user turns it on. */
  permitSound(isPermitted: boolean): void {
    this.#isSoundPermitted = isPermitted
    const { sound } = this.get()
    if (sound === 'none' || isPermitted === (sound !== 'forbidden')) return
    this.#setSound(isPermitted ? 'off' : 'forbidden')
  }

  /** The user has read why it has failed. */
  readonly dismissProblem = (): void => this.#patch({ problem: null })

  close(): void {
    this.#closed = true
    this.stop()
  }

  /** A tab may be replaced by one without sound. */
  #onSoundEnded(audio: MediaStreamTrack): void {
    if (audio !== this.#audioTrack) return
    this.#audioTrack = null
    this.#patch({ sound: 'none' })
  }

  /** At once, before the server knows. */
  #setSound(sound: 'on' | 'off' | 'forbidden'): void {
    if (this.#audioTrack) this.#audioTrack.enabled = sound === 'on'
    this.#patch({ sound })
  }

  #patch(change: Partial<ScreenShareState>): void {
    this.set({ ...this.get(), ...change })
    const { track, sound } = this.get()
    this.#video.setDesired(track && { track, paused: false })
    this.#audio.setDesired(this.#audioTrack && { track: this.#audioTrack, paused: sound !== 'on' })
  }
}

const stopAll = (...tracks: (MediaStreamTrack | null)[]) => {
  for (const track of tracks) track?.stop()
}

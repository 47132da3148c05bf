import { type Lifetime, Observable, WritableObservable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { MediaSource } from '@lectern/protocol/control/client'
import type { CurrentSession } from '../current-session.ts'
import type { OwnPermissions } from '../own-permissions.ts'
import type { CaptureScreen, LocalInput } from '../ports.ts'
import type { MediaConnection } from './media-connection.ts'
import { publishCamera, publishMicrophone } from './publish-inputs.ts'
import { Publisher } from './publisher.ts'
import { ScreenShare } from './screen-share.ts'

export interface LocalMediaOptions {
  /** Owned by the page: the call does not close them. */
  microphone: LocalInput
  camera: LocalInput
  captureScreen: CaptureScreen
  /** Whether the camera is sent in one encoding with spatial layers. */
  scalableCamera: Readable<boolean>
}

/** The sources that a moderator can mute. */
export type MutableSource = 'audio' | 'video' | 'screen'

/** The participant who has muted a source, until it is on again; null: unknown, because it happened while disconnected. */
export type MutedBy = ReadonlyMap<MutableSource, string | null>

/** The media that this participant sends. The value has the sources that moderators have muted. */
export class LocalMedia extends Observable<MutedBy> {
  readonly screenShare: ScreenShare
  /** The publisher of each source. */
  readonly publishers: Readonly<Record<MediaSource, Publisher>>
  /** Whether the camera is not sent although it is on, because the connection carries no more than the screen. */
  readonly isCameraHeld = new WritableObservable(false)
  #permitted: Readonly<Record<MutableSource, boolean>> = { audio: true, video: true, screen: true }
  readonly #inputs: { audio: LocalInput; video: LocalInput }

  constructor(media: MediaConnection, session: CurrentSession, parts: LocalMediaOptions, lifetime: Lifetime) {
    super(new Map())
    const make = (source: MediaSource, onMuted: () => void) =>
      new Publisher({ media, session, source, onMuted }, lifetime)
    const publishers = {
      microphone: make('microphone', () => this.mute('audio', null)),
      camera: make('camera', () => this.mute('video', null)),
      screen: make('screen', () => this.mute('screen', null)),
      screen_audio: make('screen_audio', () => this.screenShare.turnSoundOff()),
    }
    const { microphone, camera, captureScreen, scalableCamera } = parts
    this.publishers = publishers
    this.#inputs = { audio: microphone, video: camera }
    this.screenShare = new ScreenShare(
      { video: publishers.screen, audio: publishers.screen_audio },
      captureScreen,
    )
    lifetime.defer(() => this.screenShare.close())
    publishMicrophone(microphone, publishers.microphone, lifetime)
    const { isCameraHeld: isHeld } = this
    publishCamera(camera, publishers.camera, { isHeld, isScalable: scalableCamera }, lifetime)
    lifetime.defer(microphone.subscribe(() => microphone.get().is === 'on' && this.#onTurnedOn('audio')))
    lifetime.defer(camera.subscribe(() => camera.get().is === 'on' && this.#onTurnedOn('video')))
    lifetime.defer(this.screenShare.subscribe(() => this.screenShare.get().on && this.#onTurnedOn('screen')))
  }

  /**
   * Mutes at once, also while another change is in progress. A source that is already off is not recorded as muted by a moderator.
   */
  mute(source: MutableSource, by: string | null): void {
    if (source === 'audio') this.screenShare.turnSoundOff()
    if (this.#turnOff(source)) this.set(new Map(this.get()).set(source, by))
  }

  /** Turns off sources that are not permitted, now and whenever they are turned on. */
  permit({ microphone, camera, screen }: Pick<OwnPermissions, 'microphone' | 'camera' | 'screen'>): void {
    this.#permitted = { audio: microphone, video: camera, screen }
    this.screenShare.permitSound(microphone)
    for (const source of ['audio', 'video', 'screen'] as const)
      if (!this.#permitted[source]) this.#turnOff(source)
  }

  /** False when it was off. */
  #turnOff(source: MutableSource): boolean {
    if (source === 'screen') {
      if (!this.screenShare.get().on) return false
      this.screenShare.stop()
      return true
    }
    const input = this.#inputs[source]
    const { is } = input.get()
    if (is !== 'on' && is !== 'requesting') return false
    input.turnOff()
    return true
  }

  #onTurnedOn(source: MutableSource): void {
    if (this.#permitted[source]) this.#clearMute(source)
    else this.#turnOff(source)
  }

  #clearMute(source: MutableSource): void {
    if (!this.get().has(source)) return
    const rest = new Map(this.get())
    rest.delete(source)
    this.set(rest)
  }
}

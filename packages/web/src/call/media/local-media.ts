import { type Lifetime, Observable } from '@lectern/common'
import type { MediaSource } from '@lectern/protocol/control/client'
import type { CurrentSession } from '../current-session.ts'
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
}

/** The sources that a moderator can mute. */
export type MutableSource = 'audio' | 'video' | 'screen'

/** Who has muted a source, until it is on again; null: unknown, because it happened while disconnected. */
export type MutedBy = ReadonlyMap<MutableSource, string | null>

/** What this participant sends. The value is what moderators have muted. */
export class LocalMedia extends Observable<MutedBy> {
  readonly screenShare: ScreenShare
  /** The publisher of each source. */
  readonly publishers: Readonly<Record<MediaSource, Publisher>>
  readonly #inputs: { audio: LocalInput; video: LocalInput }

  constructor(media: MediaConnection, session: CurrentSession, parts: LocalMediaOptions, lifetime: Lifetime) {
    super(new Map())
    const make = (source: MediaSource, as: MutableSource) =>
      new Publisher({ media, session, source, onMuted: () => this.mute(as, null) }, lifetime)
    const publishers = {
      microphone: make('microphone', 'audio'),
      camera: make('camera', 'video'),
      screen: make('screen', 'screen'),
      screen_audio: make('screen_audio', 'screen'),
    }
    const { microphone, camera, captureScreen } = parts
    this.publishers = publishers
    this.#inputs = { audio: microphone, video: camera }
    this.screenShare = new ScreenShare(
      { video: publishers.screen, audio: publishers.screen_audio },
      captureScreen,
    )
    lifetime.defer(() => this.screenShare.close())
    publishMicrophone(microphone, publishers.microphone, lifetime)
    publishCamera(camera, publishers.camera, lifetime)
    lifetime.defer(microphone.subscribe(() => microphone.get().is === 'on' && this.#clearMute('audio')))
    lifetime.defer(camera.subscribe(() => camera.get().is === 'on' && this.#clearMute('video')))
    lifetime.defer(this.screenShare.subscribe(() => this.screenShare.get().on && this.#clearMute('screen')))
  }

  /**
   * Mutes at once, whatever is in progress. A source that is already off is not recorded as muted by a moderator.
   */
  mute(source: MutableSource, by: string | null): void {
    if (source === 'screen') {
      if (!this.screenShare.get().on) return
      this.screenShare.stop()
    } else {
      const input = this.#inputs[source]
      const { is } = input.get()
      if (is !== 'on' && is !== 'asking') return
      input.turnOff()
    }
    this.set(new Map(this.get()).set(source, by))
  }

  #clearMute(source: MutableSource): void {
    if (!this.get().has(source)) return
    const rest = new Map(this.get())
    rest.delete(source)
    this.set(rest)
  }
}

import type { MediaSource } from '@lectern/protocol/control/client'
import { Observable } from '../../observable.ts'
import type { CurrentSession } from '../current-session.ts'
import type { Lifetime } from '../lifetime.ts'
import type { CaptureScreen, OwnInput } from '../ports.ts'
import { followCamera, followMicrophone } from './following.ts'
import type { MediaConnection } from './media-connection.ts'
import { Outgoing } from './outgoing.ts'
import { Screen } from './screen.ts'

export interface OwnMediaParts {
  /** They stay the page's: a call that is over closes none. */
  microphone: OwnInput
  camera: OwnInput
  captureScreen: CaptureScreen
}

/** What a moderator can silence. */
export type MutableSource = 'audio' | 'video' | 'screen'

/** Who has turned something off here, until it is on again; null: somebody, while the connection was away. */
export type MutedBy = ReadonlyMap<MutableSource, string | null>

/** What this participant sends. The value is what a moderator has turned off. */
export class OwnMedia extends Observable<MutedBy> {
  readonly screen: Screen
  /** How far each source has got to the server. */
  readonly outgoing: Readonly<Record<MediaSource, Outgoing>>
  readonly #inputs: { audio: OwnInput; video: OwnInput }

  constructor(media: MediaConnection, session: CurrentSession, parts: OwnMediaParts, life: Lifetime) {
    super(new Map())
    const make = (source: MediaSource, as: MutableSource) =>
      new Outgoing({ media, session, source, muted: () => this.mute(as, null) }, life)
    const outgoing = {
      microphone: make('microphone', 'audio'),
      camera: make('camera', 'video'),
      screen: make('screen', 'screen'),
      screen_audio: make('screen_audio', 'screen'),
    }
    const { microphone, camera, captureScreen } = parts
    this.outgoing = outgoing
    this.#inputs = { audio: microphone, video: camera }
    this.screen = new Screen({ video: outgoing.screen, audio: outgoing.screen_audio }, captureScreen)
    life.own(() => this.screen.close())
    followMicrophone(microphone, outgoing.microphone, life)
    followCamera(camera, outgoing.camera, life)
    life.own(microphone.subscribe(() => microphone.get().is === 'on' && this.#forgive('audio')))
    life.own(camera.subscribe(() => camera.get().is === 'on' && this.#forgive('video')))
    life.own(this.screen.subscribe(() => this.screen.get().on && this.#forgive('screen')))
  }

  /** At once, whatever is under way. What is off already was turned off by nobody else. */
  mute(source: MutableSource, by: string | null): void {
    if (source === 'screen') {
      if (!this.screen.get().on) return
      this.screen.stop()
    } else {
      const input = this.#inputs[source]
      const { is } = input.get()
      if (is !== 'on' && is !== 'asking') return
      input.turnOff()
    }
    this.set(new Map(this.get()).set(source, by))
  }

  #forgive(source: MutableSource): void {
    if (!this.get().has(source)) return
    const rest = new Map(this.get())
    rest.delete(source)
    this.set(rest)
  }
}

import type { Call } from '../call/call.ts'
import { Lifetime } from '../call/lifetime.ts'
import type { Devices } from '../devices/devices.ts'
import type { Kept } from '../kept.ts'
import type { Features } from '../link/invitation.ts'
import { Fullscreen, type FullscreenPage } from './fullscreen.ts'
import { Notices } from './notices/notices.ts'
import { Panels } from './panels.ts'
import { ServiceSwitch } from './service/service.ts'
import { Sound } from './sound/sound.ts'
import { Companion } from './stage/companion.ts'
import { Layout } from './stage/layout.ts'
import { Spotlight } from './stage/spotlight.ts'
import { Captions } from './transcript/captions.ts'

export interface RoomParts {
  call: Call
  devices: Devices
  title: string
  isPartnerRoom: boolean
  features: Features
  page: FullscreenPage
  /** Where the visitor's choices are remembered. */
  kept: { layout: Kept; captions: Kept }
}

/** One stay in a room: the call, and how this visitor likes to look at it. */
export class Room {
  readonly call: Call
  readonly devices: Devices
  readonly title: string
  readonly isPartnerRoom: boolean
  readonly features: Features
  readonly panels: Panels
  readonly layout: Layout
  readonly spotlight: Spotlight
  readonly companion: Companion
  readonly fullscreen: Fullscreen
  readonly sound: Sound
  readonly notices: Notices
  readonly recording: ServiceSwitch
  readonly transcription: ServiceSwitch
  readonly captions: Captions
  readonly #life = new Lifetime()

  constructor({ call, devices, title, isPartnerRoom, features, page, kept }: RoomParts) {
    const life = this.#life
    this.call = call
    this.devices = devices
    this.title = title
    this.isPartnerRoom = isPartnerRoom
    this.features = features
    this.panels = new Panels()
    this.layout = new Layout(kept.layout, features.mainNavigation)
    this.spotlight = new Spotlight(call, life)
    this.companion = new Companion(call, life)
    this.fullscreen = new Fullscreen(page, life)
    this.sound = new Sound(devices.speaker, life)
    const { actions } = call
    this.recording = new ServiceSwitch(
      call,
      { isOn: each => each.recording, start: actions.startRecording, stop: actions.stopRecording },
      life,
    )
    this.transcription = new ServiceSwitch(
      call,
      {
        isOn: each => each.transcription,
        start: actions.startTranscription,
        stop: actions.stopTranscription,
      },
      life,
    )
    this.captions = new Captions(kept.captions)
    this.notices = new Notices(this, life)
    life.own(call.subscribe(() => call.get().is === 'over' && this.#end()))
  }

  readonly open = (): void => this.call.open()

  readonly leave = (): void => this.call.leave()

  /** Whoever is out is neither seen nor heard, not even by their own page. */
  #end(): void {
    this.devices.close()
    this.#life.close()
  }
}

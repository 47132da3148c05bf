import { Lifetime } from '@lectern/common'
import type { Call } from '../call/call.ts'
import type { Devices } from '../devices/devices.ts'
import type { Features } from '../link/invitation.ts'
import type { StoredValue } from '../stored-value.ts'
import { AudioPlayback } from './audio/audio-playback.ts'
import { Fullscreen, type FullscreenPage } from './fullscreen.ts'
import { Notices } from './notices/notices.ts'
import { Panels } from './panels.ts'
import { ServiceSwitch } from './service/service.ts'
import { Companion } from './stage/companion.ts'
import { Layout } from './stage/layout.ts'
import { Spotlight } from './stage/spotlight.ts'
import { Captions } from './transcript/captions.ts'

export interface RoomOptions {
  call: Call
  devices: Devices
  title: string
  isPartnerRoom: boolean
  features: Features
  page: FullscreenPage
  /** Stored settings. */
  preferences: { layout: StoredValue; captions: StoredValue }
}

/** A call, and how this user views it. */
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
  readonly audio: AudioPlayback
  readonly notices: Notices
  readonly recording: ServiceSwitch
  readonly transcription: ServiceSwitch
  readonly captions: Captions
  readonly #lifetime = new Lifetime()

  constructor({ call, devices, title, isPartnerRoom, features, page, preferences }: RoomOptions) {
    const lifetime = this.#lifetime
    this.call = call
    this.devices = devices
    this.title = title
    this.isPartnerRoom = isPartnerRoom
    this.features = features
    this.panels = new Panels()
    this.layout = new Layout(preferences.layout, features.mainNavigation)
    this.spotlight = new Spotlight(call, lifetime)
    this.companion = new Companion(call, lifetime)
    this.fullscreen = new Fullscreen(page, lifetime)
    this.audio = new AudioPlayback(devices.speaker, lifetime)
    const { actions } = call
    this.recording = new ServiceSwitch(
      call,
      { isOn: each => each.recording, start: actions.startRecording, stop: actions.stopRecording },
      lifetime,
    )
    this.transcription = new ServiceSwitch(
      call,
      {
        isOn: each => each.transcription,
        start: actions.startTranscription,
        stop: actions.stopTranscription,
      },
      lifetime,
    )
    this.captions = new Captions(preferences.captions)
    this.notices = new Notices(this, lifetime)
    lifetime.defer(call.subscribe(() => call.get().is === 'ended' && this.#end()))
  }

  readonly open = (): void => this.call.open()

  readonly leave = (): void => this.call.leave()

  /** After the call nothing is captured or played. */
  #end(): void {
    this.devices.close()
    this.#lifetime.close()
  }
}

import { Lifetime } from '@lectern/common'
import type { Call } from '../call/call.ts'
import type { Devices } from '../devices/devices.ts'
import type { Features } from '../link/invitation.ts'
import type { StoredValue } from '../stored-value.ts'
import { AudioPlayback } from './audio/audio-playback.ts'
import { Fullscreen, type FullscreenPage } from './fullscreen.ts'
import { Notices } from './notices/notices.ts'
import { PageVisibility, type VisibilityPage } from './page-visibility.ts'
import { Panels } from './panels.ts'
import { ServiceSwitch } from './service/service.ts'
import { Companion } from './stage/companion.ts'
import { Layout } from './stage/layout.ts'
import { OwnViewSetting } from './stage/own-view-setting.ts'
import { Spotlight } from './stage/spotlight.ts'
import { StageView } from './stage/stage-view.ts'
import { Captions } from './transcript/captions.ts'
import { TranscriptionLanguage } from './transcript/transcription-language.ts'

export interface RoomOptions {
  call: Call
  devices: Devices
  title: string
  isPartnerRoom: boolean
  features: Features
  /** What can be transcribed, BCP 47; empty if unknown. */
  transcriptionLanguages: readonly string[]
  page: FullscreenPage & VisibilityPage
  preferences: RoomPreferences
}

/** Stored settings. Partner rooms begin with another layout, so theirs is a choice of its own. */
export interface RoomPreferences {
  layout: StoredValue
  partnerLayout: StoredValue
  ownView: StoredValue
  captions: StoredValue
  transcriptionLanguage: StoredValue
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
  readonly ownView: OwnViewSetting
  readonly spotlight: Spotlight
  readonly stage: StageView
  readonly companion: Companion
  readonly fullscreen: Fullscreen
  readonly audio: AudioPlayback
  readonly notices: Notices
  readonly recording: ServiceSwitch
  readonly transcription: ServiceSwitch
  readonly transcriptionLanguage: TranscriptionLanguage
  readonly captions: Captions
  readonly #lifetime = new Lifetime()

  constructor(options: RoomOptions) {
    const { call, devices, title, isPartnerRoom, features, page, preferences } = options
    const lifetime = this.#lifetime
    this.call = call
    this.devices = devices
    this.title = title
    this.isPartnerRoom = isPartnerRoom
    this.features = features
    this.panels = new Panels()
    this.layout = isPartnerRoom
      ? new Layout(preferences.partnerLayout, 'webinar')
      : new Layout(preferences.layout, 'grid')
    this.ownView = new OwnViewSetting(preferences.ownView)
    this.spotlight = new Spotlight(call, lifetime)
    const { spotlight, layout, ownView } = this
    const isPageVisible = new PageVisibility(page, lifetime)
    this.stage = new StageView({ call, spotlight, layout, ownView, isPageVisible }, lifetime)
    this.companion = new Companion(call, lifetime)
    this.fullscreen = new Fullscreen(page, lifetime)
    this.audio = new AudioPlayback(devices.speaker, lifetime)
    const { actions } = call
    this.recording = new ServiceSwitch(
      call,
      { isOn: each => each.recording, start: actions.startRecording, stop: actions.stopRecording },
      lifetime,
    )
    const language = new TranscriptionLanguage(
      options.transcriptionLanguages,
      preferences.transcriptionLanguage,
    )
    this.transcriptionLanguage = language
    this.transcription = new ServiceSwitch(
      call,
      {
        isOn: each => each.transcription,
        start: () => actions.startTranscription(language.get()),
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

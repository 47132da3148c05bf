import { Lifetime } from '@lectern/common'
import type { Call } from '../call/call.ts'
import type { Devices } from '../devices/devices.ts'
import type { Features } from '../link/invitation.ts'
import type { RoomLook } from '../link/room-look.ts'
import type { StoredValue } from '../stored-value.ts'
import { type AlertName, Alerts, type PlayChime } from './alerts/alerts.ts'
import { AudioPlayback } from './audio/audio-playback.ts'
import { Volumes } from './audio/volumes.ts'
import { BoardAccess } from './board/access.ts'
import type { BoardStorage } from './board/model/board.ts'
import { Dialogs } from './dialogs.ts'
import { LessonLog } from './ended/lesson-log.ts'
import { Fullscreen, type FullscreenPage } from './fullscreen.ts'
import { Notices } from './notices/notices.ts'
import { PageVisibility, type VisibilityPage } from './page-visibility.ts'
import { Panels } from './panels.ts'
import { Pip, type PipPage } from './pip/pip.ts'
import { Pointing } from './pointer/pointing.ts'
import { RenderGate } from './render-gate.ts'
import { ServerClock } from './server-clock.ts'
import { ServiceSwitch } from './service/service.ts'
import { MessagePreview } from './stage/messages/message-preview.ts'
import { Companion } from './stage/selection/companion.ts'
import { Layout } from './stage/selection/layout.ts'
import { OwnViewSetting } from './stage/selection/own-view-setting.ts'
import { Spotlight } from './stage/selection/spotlight.ts'
import { StageView } from './stage/stage-view.ts'
import { VideoSubscriber } from './stage/video-subscriber.ts'
import { SwitchSetting } from './switch-setting.ts'
import { PushToTalk } from './talk/push-to-talk.ts'
import { Captions } from './transcript/captions.ts'
import { TranscriptionLanguage } from './transcript/transcription-language.ts'

export interface RoomOptions {
  call: Call
  devices: Devices
  title: string
  /** When it is planned to end, in ms since 1970; null: not known. */
  endsAt: number | null
  isPartnerRoom: boolean
  /** Made for a call between users. */
  isCall: boolean
  features: Features
  /** Languages that can be transcribed, BCP 47; empty if unknown. */
  transcriptionLanguages: readonly string[]
  look: RoomLook
  /** The language of the page, BCP 47. */
  language: string
  page: FullscreenPage & VisibilityPage
  pip: PipPage
  chime: PlayChime
  /** The address with which others can join; null where none may be shared. */
  invitationUrl: string | null
  preferences: RoomPreferences
}

/** Stored settings. Partner rooms begin with another layout, so theirs is a choice of its own. */
export interface RoomPreferences {
  layout: StoredValue
  partnerLayout: StoredValue
  ownView: StoredValue
  captions: StoredValue
  transcriptionLanguage: StoredValue
  alerts: Readonly<Record<AlertName | 'title', StoredValue>>
  pushToTalk: StoredValue
  messageBubble: StoredValue
  shortcutKeys: StoredValue
  /** Belongs to the tab. */
  volumes: StoredValue
  board: BoardStorage
}

/** About as large as the windows of browsers are. */
const PIP_VIDEO = { width: 480, height: 270 }

/** A call, and how this user views it. */
export class Room {
  readonly call: Call
  readonly mayRender: RenderGate
  readonly devices: Devices
  readonly title: string
  readonly endsAt: number | null
  readonly isPartnerRoom: boolean
  readonly isCall: boolean
  readonly features: Features
  readonly look: RoomLook
  readonly invitationUrl: string | null
  readonly panels: Panels
  readonly dialogs: Dialogs
  readonly board: BoardAccess
  readonly layout: Layout
  readonly ownView: OwnViewSetting
  readonly spotlight: Spotlight
  readonly stage: StageView
  readonly videos: VideoSubscriber
  readonly pointing: Pointing
  readonly pip: Pip
  readonly companion: Companion
  readonly fullscreen: Fullscreen
  readonly audio: AudioPlayback
  readonly volumes: Volumes
  readonly alerts: Alerts
  /** Whether new messages lie over the videos for a moment. */
  readonly messageBubble: SwitchSetting
  readonly messagePreview: MessagePreview
  readonly pushToTalk: PushToTalk
  readonly shortcutKeys: SwitchSetting
  readonly notices: Notices
  readonly recording: ServiceSwitch
  readonly transcription: ServiceSwitch
  readonly transcriptionLanguage: TranscriptionLanguage
  readonly captions: Captions
  readonly lesson: LessonLog
  readonly clock: ServerClock
  readonly #lifetime = new Lifetime()

  constructor(options: RoomOptions) {
    const { call, devices, title, isPartnerRoom, features, page, preferences } = options
    const lifetime = this.#lifetime
    this.call = call
    this.clock = new ServerClock(call, lifetime)
    this.lesson = new LessonLog(call, this.clock, lifetime)
    this.mayRender = new RenderGate(call, lifetime)
    this.devices = devices
    this.title = title
    this.endsAt = options.endsAt
    this.isPartnerRoom = isPartnerRoom
    this.isCall = options.isCall
    this.features = features
    this.look = options.look
    this.invitationUrl = options.invitationUrl
    this.panels = new Panels()
    this.dialogs = new Dialogs()
    this.board = new BoardAccess(call, preferences.board, lifetime)
    this.layout = isPartnerRoom
      ? new Layout(preferences.partnerLayout, options.look.layout)
      : new Layout(preferences.layout, 'grid')
    this.ownView = new OwnViewSetting(preferences.ownView)
    this.spotlight = new Spotlight(call, lifetime)
    this.pointing = new Pointing(call, lifetime)
    const { spotlight, layout, ownView, pointing, board, panels } = this
    const isPageVisible = new PageVisibility(page, lifetime)
    this.stage = new StageView({ call, spotlight, layout, ownView, pointing, board }, lifetime)
    this.videos = new VideoSubscriber({ call, stage: this.stage, isPageVisible }, lifetime)
    this.pip = new Pip(options.pip, () => this.stage.get().pip, lifetime)
    lifetime.defer(this.pip.subscribe(() => this.#onPip()))
    this.companion = new Companion(call, lifetime)
    this.fullscreen = new Fullscreen(page, lifetime)
    this.audio = new AudioPlayback(devices.speaker, lifetime)
    this.volumes = new Volumes(preferences.volumes)
    const { alerts: stored } = preferences
    this.alerts = new Alerts({ call, panels, isPageVisible, chime: options.chime, stored }, lifetime)
    this.messageBubble = new SwitchSetting(preferences.messageBubble, true)
    const isWanted = this.messageBubble
    this.messagePreview = new MessagePreview({ call, panels, isWanted }, lifetime)
    this.pushToTalk = new PushToTalk(
      devices.microphone,
      new SwitchSetting(preferences.pushToTalk, false),
      lifetime,
    )
    this.shortcutKeys = new SwitchSetting(preferences.shortcutKeys, true)
    const { actions } = call
    this.recording = new ServiceSwitch(
      call,
      { isOn: each => each.recording, start: actions.startRecording, stop: actions.stopRecording },
      lifetime,
    )
    const language = new TranscriptionLanguage(
      options.transcriptionLanguages,
      preferences.transcriptionLanguage,
      options.language,
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

  /** A window reports its size by itself; of a video that the browser shows, it is not known. */
  #onPip(): void {
    const state = this.pip.get()
    if (state.is === 'video') this.videos.setPip(PIP_VIDEO, state.tileId ?? undefined)
    else this.videos.setPip(null)
  }

  /** After the call nothing is captured or played. */
  #end(): void {
    this.devices.close()
    this.#lifetime.close()
  }
}

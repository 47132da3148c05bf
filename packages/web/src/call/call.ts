import { Lifetime, Observable } from '@lectern/common'
import type { SessionView } from '@lectern/control-client'
import type { ControlEvent, ParticipantView, WaitReason } from '@lectern/protocol/control/client'
import type { FileAccess } from '../uploads/files.ts'
import { Actions } from './actions.ts'
import { BoardLink } from './board/board-link.ts'
import { Chat, type ChatOptions } from './chat.ts'
import { ConnectionQualities } from './connection-qualities.ts'
import { CurrentSession } from './current-session.ts'
import type { CallEndReason } from './end-reasons.ts'
import { BlockedMedia } from './media/blocked-media.ts'
import { DisplaySizes } from './media/display-sizes.ts'
import type { EndpointTransportOptions } from './media/endpoint.ts'
import { LocalMedia, type LocalMediaOptions } from './media/local-media.ts'
import { MediaConnection } from './media/media-connection.ts'
import { MediaStatistics } from './media/media-statistics.ts'
import { NetworkQuality } from './media/network-quality.ts'
import { RemoteMedia } from './media/remote-media.ts'
import { ScalableCamera } from './media/scalable-camera.ts'
import { StallDetector } from './media/stall-detector.ts'
import { type JoinOptions, Membership } from './membership.ts'
import { isMuteForMe, readMuteEvent } from './mute-events.ts'
import { permissionsOf } from './own-permissions.ts'
import { Pointers } from './pointers.ts'
import { Reactions } from './reactions.ts'
import { Recovery } from './recovery.ts'
import { Speakers } from './speakers.ts'
import { Transcript } from './transcript.ts'
import { Typing } from './typing.ts'

export type CallState =
  | { is: 'joining' }
  | { is: 'waiting'; reason: WaitReason }
  | { is: 'joined'; me: ParticipantView; session: SessionView }
  | { is: 'ended'; reason: CallEndReason }

export interface CallOptions
  extends ChatOptions,
    EndpointTransportOptions,
    JoinOptions,
    Omit<LocalMediaOptions, 'scalableCamera'> {
  /** Whether this machine encodes a camera with spatial layers without effort. */
  canScaleCamera: () => Promise<boolean>
  accessToken: FileAccess['accessToken']
}

/** One participation in a conference. The creator MUST call `leave()`. */
export class Call extends Observable<CallState> {
  readonly actions: Actions
  readonly chat: Chat
  readonly typing: Typing
  readonly transcript: Transcript
  readonly speakers: Speakers
  readonly qualities: ConnectionQualities
  readonly pointers: Pointers
  readonly reactions: Reactions
  readonly board: BoardLink
  readonly files: FileAccess
  /** The media that this participant sends, and what a moderator has muted. */
  readonly local: LocalMedia
  /** The media that the other participants send. */
  readonly remote: RemoteMedia
  readonly displaySizes: DisplaySizes
  readonly media: MediaConnection
  readonly statistics: MediaStatistics
  /** The effect of the own connection on the quality. */
  readonly network: NetworkQuality
  /** Progress of the recovery from a lost connection. */
  readonly recovery: Recovery
  readonly isMediaBlocked: BlockedMedia
  readonly #control: CallOptions['control']
  readonly #lifetime = new Lifetime()
  readonly #membership: Membership
  readonly #session: CurrentSession

  constructor(options: CallOptions) {
    super({ is: 'joining' })
    const { control } = options
    this.#control = control
    const lifetime = this.#lifetime
    const membership = new Membership(control, options, lifetime)
    const session = new CurrentSession(control, membership, lifetime)
    this.#membership = membership
    this.#session = session
    this.media = new MediaConnection(options, membership, session, lifetime)
    const scalableCamera = new ScalableCamera({ ...options, media: this.media }, lifetime)
    this.local = new LocalMedia(this.media, session, { ...options, scalableCamera }, lifetime)
    this.remote = new RemoteMedia(this.media, session, membership, lifetime)
    this.statistics = new MediaStatistics(this.media, this.local.publishers, lifetime)
    this.displaySizes = new DisplaySizes(control, this.media, membership, lifetime)
    const { screenShare, publishers } = this.local
    const sendsVideo = () => [publishers.camera, publishers.screen].some(each => each.get() === 'sending')
    const { media, remote } = this
    const isStalled = new StallDetector({ media, remote, onStall: media.networkChanged }, lifetime)
    this.network = new NetworkQuality({ control, media, isStalled, sendsVideo }, lifetime)
    const holdCamera = () =>
      this.local.isCameraHeld.set(this.network.get().sendsTooSlowly && screenShare.get().on)
    for (const each of [this.network, screenShare]) lifetime.defer(each.subscribe(holdCamera))
    this.recovery = new Recovery(
      {
        control: control.state,
        membership,
        session,
        media: this.media,
        published: Object.values(this.local.publishers),
        remote: this.remote,
        isDisplayed: this.displaySizes.isDisplayed,
      },
      lifetime,
    )
    this.isMediaBlocked = new BlockedMedia(
      { control: control.state, transport: this.media.transport },
      lifetime,
    )
    this.actions = new Actions(control, membership, options)
    this.chat = new Chat(control, membership, session, options, lifetime)
    this.typing = new Typing(control, membership, session, lifetime)
    this.transcript = new Transcript(control, membership, session, lifetime)
    this.speakers = new Speakers(control, lifetime)
    this.qualities = new ConnectionQualities(control, lifetime)
    this.pointers = new Pointers(control, membership, session, lifetime)
    this.reactions = new Reactions(control, membership, lifetime)
    this.board = new BoardLink(control, membership, session, lifetime)
    this.files = { conference: options.tag, accessToken: options.accessToken, serverUrl: '' }
    const update = () => this.#update()
    for (const each of [membership, session]) lifetime.defer(each.subscribe(update))
    lifetime.defer(control.onEvent(event => this.#onEvent(event)))
  }

  readonly open = (): void => this.#membership.open()

  /** The server treats the closed connection as leaving: no stale participant remains. */
  readonly leave = (): void => this.#membership.end('left')

  /** The network is back, or has changed. */
  readonly networkChanged = (): void => {
    this.#control.online()
    this.media.networkChanged()
  }

  /** The page or the machine has resumed. */
  readonly wake = (): void => this.#control.wake()

  #update(): void {
    const before = this.get()
    if (before.is === 'ended') return
    const membership = this.#membership.get()
    if (membership.is === 'ended') {
      this.#end(membership.reason)
      return
    }
    if (membership.is === 'waiting') {
      // The page of somebody who waits shows no shared screen, and cannot end the share.
      if (this.local.screenShare.get().on) this.local.screenShare.stop()
      this.set({ is: 'waiting', reason: membership.reason })
      return
    }
    const session = this.#session.get()
    const id = membership.is === 'joined' ? membership.participant.participantId : null
    const me = session?.participants.find(each => each.participant_id === id)
    // While the connection restarts, the former session stays until the new one is known.
    if (!session || !me) return
    this.local.permit(permissionsOf(session, me))
    this.set({ is: 'joined', me, session })
  }

  #end(reason: CallEndReason): void {
    this.set({ is: 'ended', reason })
    this.#lifetime.close()
    this.#control.close()
  }

  #onEvent(event: ControlEvent): void {
    const state = this.get()
    const muted = readMuteEvent(event)
    if (muted && state.is === 'joined' && isMuteForMe(muted, state.me, state.session.participants))
      this.local.mute(muted.source, muted.by_participant_id)
  }
}

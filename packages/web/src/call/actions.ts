import type { CommandBody, Target } from '@lectern/protocol/control/client'
import type { JoinOptions, Membership } from './membership.ts'
import type { Control } from './ports.ts'

type Source = 'audio' | 'video' | 'screen'

/** Actions of participants apart from media and chat. Each rejects with a ControlFailure. */
export class Actions {
  readonly #control: Control
  readonly #membership: Membership
  readonly #conference: Target
  /** The user's last wish; a hand that is lowered against it was lowered by a moderator. */
  wantsHandUp = false
  /** The participants whom this user has removed. */
  readonly removedIds = new Set<string>()

  constructor(control: Control, membership: Membership, { tag }: JoinOptions) {
    this.#control = control
    this.#membership = membership
    this.#conference = { kind: 'conference', id: tag }
  }

  readonly raiseHand = (hand_raised: boolean) => {
    this.wantsHandUp = hand_raised
    return this.#control.command('participant.update', this.#session, { hand_raised })
  }

  readonly rename = (display_name: string) =>
    this.#control.command('participant.update', this.#session, { display_name })

  // The rest is for moderators.

  readonly lowerHandOf = (participant_id: string) =>
    this.#control.command('participant.update', this.#session, { participant_id, hand_raised: false })

  readonly mute = (participant_id: string, source: Source) =>
    this.#control.command('participant.mute', this.#session, { participant_id, source })

  /** Everybody except the devices of this account. */
  readonly muteAll = (source: Source) => this.#control.command('participant.mute', this.#session, { source })

  /** Sets the permissions of participants who are not moderators. */
  readonly setPermissions = (permissions: CommandBody<'conference.set_permissions'>) =>
    this.#control.command('conference.set_permissions', this.#conference, permissions)

  /** Exceptions for one person. */
  readonly setPersonPermissions = (changes: CommandBody<'participant.set_permissions'>) =>
    this.#control.command('participant.set_permissions', this.#session, changes)

  /** Shows a person large for everybody; null: nobody. */
  readonly setSpotlight = (user_id: string | null) =>
    this.#control.command('conference.set_spotlight', this.#conference, { user_id })

  readonly lowerAllHands = () => this.#control.command('participant.lower_hands', this.#session, {})

  readonly remove = (participant_id: string) => {
    this.removedIds.add(participant_id)
    return this.#control.command('participant.remove', this.#session, { participant_id })
  }

  readonly readmit = (user_id: string) =>
    this.#control.command('participant.readmit', this.#session, { user_id })

  /** Without a user id: everybody in the lobby. */
  readonly admit = (user_id?: string) =>
    this.#control.command('lobby.admit', this.#session, user_id === undefined ? {} : { user_id })

  readonly deny = (user_id: string) => this.#control.command('lobby.deny', this.#session, { user_id })

  readonly setChatMode = (mode: 'open' | 'read_only') =>
    this.#control.command('chat.set_mode', this.#session, { mode })

  readonly setLock = (locked: boolean) =>
    this.#control.command('conference.set_lock', this.#conference, { locked })

  readonly endForAll = () => this.#control.command('conference.end', this.#conference, {})

  readonly startRecording = () => this.#control.command('recording.start', this.#session, {})

  readonly stopRecording = () => this.#control.command('recording.stop', this.#session, {})

  /** Null: in the language that the transcriber recognises. */
  readonly startTranscription = (language: string | null) =>
    this.#control.command('transcription.start', this.#session, language === null ? {} : { language })

  readonly stopTranscription = () => this.#control.command('transcription.stop', this.#session, {})

  /**
   * While reconnecting there is no session id; commands then address the conference.
   */
  get #session(): Target {
    const state = this.#membership.get()
    return state.is === 'joined'
      ? { kind: 'conference_session', id: state.participant.sessionId }
      : this.#conference
  }
}

import { type Lifetime, Observable } from '@lectern/common'
import type { Readable, SessionView } from '@lectern/control-client'
import type { Call } from '../../call/call.ts'
import type { StoredValue } from '../../stored-value.ts'
import { messagesAfter, type ReadMarker } from '../chat/unread.ts'
import { RejoinGrace } from '../notices/rejoin-grace.ts'
import { roomEventsOf } from '../notices/room-events.ts'
import type { Panel } from '../panels.ts'
import { SwitchSetting } from '../switch-setting.ts'

/** The kinds of alerts. */
export const ALERTS = ['join', 'hand', 'message'] as const
export type AlertName = (typeof ALERTS)[number]

/** The person who has caused the last alert while the page was hidden; null: the page is visible. */
export type TitleAlert = { is: AlertName; name: string } | null

export type PlayChime = (name: AlertName) => void

interface AlertsParts {
  call: Call
  panels: Readable<Panel | null>
  isPageVisible: Readable<boolean>
  chime: PlayChime
  /** By alert, and for the title of the tab. */
  stored: Readonly<Record<AlertName | 'title', StoredValue>>
}

/** When a class arrives, one sound stands for several people. */
const PAUSE_MS = 2_000

/** Sounds, and the title of a hidden tab, for what others do. Each is optional. The value is what the title says. */
export class Alerts extends Observable<TitleAlert> {
  readonly sounds: Readonly<Record<AlertName, SwitchSetting>>
  readonly title: SwitchSetting
  readonly #parts: AlertsParts
  readonly #grace: RejoinGrace
  #session: SessionView | null = null
  #marker: ReadMarker | null = null
  #playedAt = Number.NEGATIVE_INFINITY

  constructor(parts: AlertsParts, lifetime: Lifetime) {
    super(null)
    const { call, isPageVisible, stored } = parts
    this.#parts = parts
    this.#grace = new RejoinGrace(lifetime)
    this.sounds = {
      join: new SwitchSetting(stored.join, true),
      hand: new SwitchSetting(stored.hand, true),
      message: new SwitchSetting(stored.message, true),
    }
    this.title = new SwitchSetting(stored.title, true)
    lifetime.defer(call.subscribe(() => this.#onCall()))
    lifetime.defer(call.chat.subscribe(() => this.#onChat()))
    lifetime.defer(isPageVisible.subscribe(() => isPageVisible.get() && this.set(null)))
    lifetime.defer(() => this.set(null))
  }

  #onCall(): void {
    const state = this.#parts.call.get()
    if (state.is !== 'joined') return
    const before = this.#session
    const self = state.me.participant_id
    this.#session = this.#grace.complete(before, state.session, self)
    for (const event of roomEventsOf(before, this.#session, self)) {
      if (event.is === 'joined') this.#raise('join', event.name)
      if (event.is === 'handRaised') this.#raise('hand', event.name)
    }
  }

  /** Messages that were there on joining, and own ones, are nothing new. */
  #onChat(): void {
    const { call, panels, isPageVisible } = this.#parts
    const state = call.get()
    if (state.is !== 'joined') return
    const { messages } = call.chat.get()
    const marker = this.#marker ?? { id: null, at: state.me.joined_at_ms }
    const newest = messages.at(-1)
    this.#marker = newest ? { id: newest.message_id, at: newest.sent_at_ms } : marker
    const last = messagesAfter(messages, marker).findLast(({ user_id }) => user_id !== state.me.user_id)
    // Somebody who has the chat open sees the message.
    if (last && (panels.get() !== 'chat' || !isPageVisible.get())) this.#raise('message', last.display_name)
  }

  #raise(alert: AlertName, name: string): void {
    if (this.title.get() && !this.#parts.isPageVisible.get()) this.set({ is: alert, name })
    if (!this.sounds[alert].get() || performance.now() - this.#playedAt < PAUSE_MS) return
    this.#playedAt = performance.now()
    this.#parts.chime(alert)
  }
}

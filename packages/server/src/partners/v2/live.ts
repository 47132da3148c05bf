import { hash, randomUUID } from 'node:crypto'
import { cleanDisplayName, ensure, type LiveParticipant, type PlatformMessage } from '@lectern/protocol'
import type { PlatformAction, PlatformResult } from '../../sessions/platform-actions.ts'
import type { EndReason, MutableSource } from '../../sessions/ports.ts'
import type { Room } from '../ports.ts'
import type { Caller } from '../service-accounts.ts'
import type { KeyedRequest } from '../stores/v2/requests.ts'
import type { KnownPeople } from './events/known-people.ts'
import { settingsOf } from './rooms/settings.ts'

/** Sessions, on whatever server they run. */
export interface PlatformSessions {
  performForPlatform(tag: string, action: PlatformAction): Promise<PlatformResult | null>
  end(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void>
}

/** Actions of a partner in the call of its room. */
export class LiveControl {
  readonly #sessions: PlatformSessions
  readonly #known: KnownPeople

  constructor(sessions: PlatformSessions, known: KnownPeople) {
    this.#sessions = sessions
    this.#known = known
  }

  async list(room: Room): Promise<{ live: boolean; participants: LiveParticipant[] }> {
    const result = await this.#sessions.performForPlatform(room.tag, { is: 'list' })
    if (result?.is !== 'listed') return { live: false, participants: [] }
    const person = await this.#known.of(
      room,
      result.participants.map(({ userId }) => userId),
    )
    const participants = result.participants.map(each => ({
      ...person(each, each.id),
      participant_id: each.id,
      presence: each.isHere ? ('here' as const) : ('away' as const),
      joined_at: new Date(each.joinedAtMs).toISOString(),
    }))
    return { live: true, participants }
  }

  /** Throws `room_not_live` or `participant_not_found`, as `remove`. */
  async mute(room: Room, participantId: string, source: MutableSource): Promise<void> {
    await this.#perform(room, { is: 'mute', participantId, source })
  }

  async remove(room: Room, participantId: string): Promise<void> {
    await this.#perform(room, { is: 'remove', participantId })
  }

  /** Throws `recording_off` or `room_not_live`. */
  async startRecording(room: Room): Promise<void> {
    const { mode, format } = settingsOf(room).recording
    ensure(mode !== 'off', 'recording_off')
    await this.#perform(room, { is: 'start_recording', format })
  }

  /** Throws `room_not_live`. */
  async stopRecording(room: Room): Promise<void> {
    await this.#perform(room, { is: 'stop_recording' })
  }

  /**
   * Once for each `keyed` request, however often the answer is lost. Throws `chat_off`, as nobody would see it, or
   * `room_not_live`.
   */
  async sendMessage(
    { name, clientId }: Caller,
    room: Room,
    message: PlatformMessage,
    keyed: KeyedRequest | null,
  ): Promise<number> {
    ensure(settingsOf(room).features.chat, 'chat_off')
    const displayName = cleanDisplayName(message.display_name ?? '') || name
    const { text } = message
    const commandId = keyed ? digest(keyed) : randomUUID()
    const action = { is: 'send_message', userId: clientId, displayName, text, commandId } as const
    const result = await this.#perform(room, action)
    return result.is === 'sent' ? result.messageId : 0
  }

  end({ tag }: Room): Promise<void> {
    return this.#sessions.end(tag, 'ended')
  }

  async #perform({ tag }: Room, action: PlatformAction): Promise<PlatformResult> {
    const result = await this.#sessions.performForPlatform(tag, action)
    ensure(result, 'room_not_live')
    ensure(result.is !== 'no_participant', 'participant_not_found')
    return result
  }
}

/** Everybody inside sees it, so that it says nothing about the key. */
const digest = ({ serviceAccount, key, fingerprint }: KeyedRequest): string =>
  hash('sha256', JSON.stringify([serviceAccount, key, fingerprint]))

import { withTimeout } from '@lectern/common'
import {
  ControlClient,
  ControlFailure,
  type MediaMessage,
  platformEnvironment,
  type WebSocketConstructor,
} from '@lectern/control-client'
import { Refusal } from '@lectern/protocol'
import type { CommandData, JsonObject, MediaRef, PayloadTypes } from '@lectern/protocol/control'
import type { RtpCapabilities } from 'mediasoup-client/types'
import { newId } from '../../control/ids.ts'
import { toRefusal } from './refusals.ts'

const JOIN_TIMEOUT_MS = 10_000
/** A client that is unreachable for this long is gone, or never came: HTTP has no connection that would break. */
export const SILENCE_MS = 60_000

/** The account that joins, and the grant of its link. */
export interface Entrant {
  userId: number
  accessToken: string
  joinToken: string | null
  /** Whether the token that let it in was revoked, where the sign-in does not end with it. */
  isRevoked: () => Promise<boolean>
  /** Ends the sign-in. */
  close: () => Promise<void>
}

export interface ParticipationOptions {
  tag: string
  entrant: Entrant
  displayName?: string | undefined
  /** The payload types of a client that receives. */
  payloadTypes?: PayloadTypes | undefined
  /** A monotonic clock. */
  monotonicMs: () => number
  /** Called once, when the participant has left or was removed. */
  onEnd: () => void
}

type EndpointData = CommandData<'media.open'>
type Joined = CommandData<'conference.join'>

/**
 * A participant that is controlled over HTTP. It is an ordinary client of the control channel, with the rules, limits and
 * permissions of every other. It ends when the participant leaves, is removed, or loses the connection.
 */
export class Participation {
  readonly control: ControlClient
  readonly #options: ParticipationOptions
  #joined: Joined | null = null
  #endpoint: EndpointData | null = null
  /** Null while the client is reachable; at first it never was. */
  #silentSince: number | null
  #isEnded = false
  #isChecking = false

  private constructor(control: ControlClient, options: ParticipationOptions) {
    this.control = control
    this.#options = options
    this.#silentSince = options.monotonicMs()
  }

  /** Joins and opens an endpoint. Throws a Refusal, as `not_admitted` does for people who would wait in a lobby. */
  static async open(sockets: WebSocketConstructor, options: ParticipationOptions): Promise<Participation> {
    const { tag, entrant } = options
    const control = new ControlClient(platformEnvironment(sockets), {
      url: 'ws://localhost/',
      conference: tag,
      client: { name: 'whip', version: '1', platform: 'node' },
      accessToken: async () => entrant.accessToken,
      ...(entrant.joinToken !== null && { joinToken: entrant.joinToken }),
    })
    const participation = new Participation(control, options)
    try {
      await withTimeout(participation.#join(), JOIN_TIMEOUT_MS, () => new Refusal('temporarily_unavailable'))
      return participation
    } catch (error) {
      participation.close()
      throw toRefusal(error)
    }
  }

  /** Also what has just been opened may be over. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  get endpoint(): EndpointData {
    if (!this.#endpoint) throw new Error('The endpoint is not open.')
    return this.#endpoint
  }

  get joined(): Joined {
    if (!this.#joined) throw new Error('The participant has not joined.')
    return this.#joined
  }

  get routerCapabilities(): RtpCapabilities {
    return this.endpoint.router_rtp_capabilities as unknown as RtpCapabilities
  }

  get target() {
    return { kind: 'conference_session', id: this.joined.conference_session_id } as const
  }

  /** Publishes one track. Rejects with a Refusal. */
  async publish(kind: 'audio' | 'video', offer: JsonObject): Promise<void> {
    const media = this.#refOf(kind)
    const answered = new Promise<void>((resolve, reject) => {
      const stop = this.control.onMedia(({ media: { negotiation_id }, body }: MediaMessage) => {
        if (negotiation_id !== media.negotiation_id) return
        stop()
        if ('error' in body) reject(toRefusal(ControlFailure.from(body.error as never)))
        else resolve()
      })
    })
    this.control.sendMedia(media, 'webrtc_offer', { format: 'ortc', ...offer })
    await withTimeout(answered, JOIN_TIMEOUT_MS, () => new Refusal('temporarily_unavailable'))
  }

  /** Restarts ICE; resolves with the new parameters of the server. Rejects with a Refusal. */
  async restartIce(): Promise<CommandData<'media.restart_ice'>> {
    const body = { endpoint_id: this.endpoint.endpoint_id }
    try {
      return await this.control.command('media.restart_ice', this.target, body)
    } catch (error) {
      throw toRefusal(error)
    }
  }

  /** Ends the participation once. Safe to repeat. */
  close(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.control.close()
    this.#options.onEnd()
  }

  /** Ends a client that is gone. MUST be called every few seconds. */
  checkSilence(): void {
    if (this.#silentSince === null) return
    if (this.#options.monotonicMs() - this.#silentSince > SILENCE_MS) this.close()
  }

  /** Ends a client whose token was revoked (rule TOKEN-7). MUST be called every few seconds. */
  async checkAccess(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      if (await this.#options.entrant.isRevoked()) this.close()
    } catch {
      // Checked again later: the store is away.
    } finally {
      this.#isChecking = false
    }
  }

  async #join(): Promise<void> {
    await this.#ready()
    const { tag, displayName, payloadTypes } = this.#options
    const body = displayName === undefined ? {} : { display_name: displayName }
    const joined = (await this.control.command(
      'conference.join',
      { kind: 'conference', id: tag },
      body,
    )) as Joined
    this.#joined = joined
    this.control.onEvent(({ name, body }) => {
      const isOver = name === 'session.ended'
      const isOut = name === 'participant.left' && body.participant_id === joined.participant_id
      const isMoved = name === 'media.moved' && !this.#isServedBy(body)
      if (isOver || isOut || isMoved) this.close()
    })
    this.control.onSignal(({ name, sourceId, body }) => {
      if (name !== 'connection.quality' || sourceId !== joined.participant_id) return
      this.#silentSince = body.score === 0 ? (this.#silentSince ?? this.#options.monotonicMs()) : null
    })
    this.#endpoint = await this.control.command('media.open', this.target, {
      ...(payloadTypes && { payload_types: payloadTypes }),
    })
  }

  /** Whether the endpoint lives on after a worker of the session has died (rule G5). */
  #isServedBy({ rtc_node_ids = [] }: JsonObject): boolean {
    return (rtc_node_ids as string[]).includes(this.#endpoint?.rtc_node_id ?? '')
  }

  /** Resolves when commands can be sent. A connection that ends later ends the participation: HTTP cannot negotiate again. */
  #ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      let wasReady = false
      this.control.state.subscribe(() => {
        const state = this.control.state.get()
        if (state.is === 'ready') {
          wasReady = true
          resolve()
        } else if (state.is === 'ended' || state.is === 'waiting') {
          reject(new Refusal('temporarily_unavailable'))
          if (wasReady) this.close()
        }
      })
      this.control.open()
    })
  }

  #refOf(kind: 'audio' | 'video'): MediaRef {
    const { endpoint_id, rtc_node_id, route_generation } = this.endpoint
    const { conference_session_id, participant_id } = this.joined
    return {
      conference_session_id,
      participant_instance_id: participant_id,
      publication_id: newId('pub'),
      negotiation_id: newId('neg'),
      endpoint_id,
      rtc_node_id,
      route_generation,
      scope: kind,
    }
  }
}

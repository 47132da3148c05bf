import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { WebSocketConstructor } from '@lectern/control-client'
import { ensure } from '@lectern/protocol'
import type { CommandData } from '@lectern/protocol/control'
import { namesEntityTag } from '../../platform/entity-tag.ts'
import { type Offer, readOffer } from '../sdp/description.ts'
import { writeFragment } from '../sdp/fragment.ts'
import { answerPlayer, payloadTypesOf, readPlayerSections, receivingCapabilities } from '../sdp/playing.ts'
import { answerPublisher, assignSources, KNOWN_CODECS, readOfferedTracks } from '../sdp/publishing.ts'
import { activeSections, assertServed, isDirected } from '../sdp/sections.ts'
import type { Entrants } from './entrants.ts'
import { type Entrant, Participation } from './participation.ts'
import { Player, type PlayerChoice } from './player.ts'
import { type HttpSessionKind, newSessionId } from './session-id.ts'

export interface SessionRequest {
  tag: string
  /** The token of the request. */
  bearer: string
  /** The client's address, which limits count. */
  address: string
  sdp: string
  displayName?: string | undefined
}

export interface Answered {
  id: string
  answer: string
  /** Changes with each restart of ICE. */
  etag: string
  iceServers: CommandData<'media.open'>['ice_servers']
}

interface HttpSession {
  kind: HttpSessionKind
  participation: Participation
  entrant: Entrant
  bearerHash: Buffer
  offer: Offer
  etag: string
  /** Null for a publisher. */
  player: Player | null
}

interface HttpSessionsOptions {
  /** Sockets to the control channel that runs the conference, with the address of the client. Throws a Refusal. */
  connect: (address: string) => WebSocketConstructor
  entrants: Pick<Entrants, 'find' | 'isTokenOf'>
  /** A monotonic clock: the clocks of servers and databases differ, and are adjusted. */
  monotonicMs: () => number
}

/**
 * Participants that speak HTTP: publishers (WHIP, RFC 9725) and players (WHEP). Each is a participant until it is deleted,
 * removed or unreachable.
 */
export class HttpSessions {
  readonly #parts: HttpSessionsOptions
  readonly #sessions = new Map<string, HttpSession>()

  constructor(parts: HttpSessionsOptions) {
    this.#parts = parts
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Joins the conference and publishes the tracks of the offer. Throws a Refusal; then nobody has joined any more. */
  async publish(request: SessionRequest): Promise<Answered> {
    const offer = readOffer(request.sdp)
    for (const section of activeSections(offer))
      assertServed(isDirected(section, 'sendonly'), section, 'it does not send')
    const isSending = assignSources(readOfferedTracks(offer, KNOWN_CODECS)).length > 0
    ensure(isSending, 'invalid_argument', 'The offer sends nothing.')
    const { id, session } = await this.#open('whip', request, offer)
    return this.#orClose(session, async () => {
      const { participation } = session
      const { endpoint, routerCapabilities } = participation
      const tracks = assignSources(readOfferedTracks(offer, routerCapabilities))
      for (const { source, kind, rtpParameters } of tracks)
        await participation.publish(kind, {
          source,
          paused: false,
          rtp_parameters: { ...rtpParameters },
          dtls_parameters: { ...offer.dtls },
        })
      return present(id, session, answerPublisher(offer, endpoint.send, tracks))
    })
  }

  /** Joins the conference and plays what is chosen, now and later. Throws as `publish` does. */
  async play(request: SessionRequest, choice: PlayerChoice): Promise<Answered> {
    const offer = readOffer(request.sdp)
    const sections = readPlayerSections(offer)
    const payloadTypes = payloadTypesOf(sections)
    ensure(sections.length > 0, 'invalid_argument', 'The offer receives nothing.')
    const { id, session } = await this.#open('whep', request, offer, payloadTypes)
    return this.#orClose(session, async () => {
      const { participation } = session
      const { endpoint, routerCapabilities } = participation
      const player = new Player(participation, choice, offer.dtls)
      session.player = player
      await player.start(receivingCapabilities(sections, routerCapabilities))
      return present(id, session, answerPlayer(offer, endpoint.receive, sections, routerCapabilities))
    })
  }

  /** Leaves the conference. Throws `not_found` for an unknown id, and for the token of somebody else. */
  async close(kind: HttpSessionKind, id: string, bearer: string): Promise<void> {
    const { participation } = await this.#find(kind, id, bearer)
    participation.close()
  }

  /**
   * Candidates of the client, which the server does not need: it is ICE-lite. Throws `precondition_failed` for those of
   * ICE before its last restart.
   */
  async acceptCandidates(kind: HttpSessionKind, id: string, bearer: string, ifMatch: string): Promise<void> {
    const session = await this.#find(kind, id, bearer)
    ensure(namesEntityTag(ifMatch, session.etag, 'strong'), 'precondition_failed')
  }

  /** Restarts ICE. Resolves with the fragment that describes the server from now on. */
  async restartIce(
    kind: HttpSessionKind,
    id: string,
    bearer: string,
  ): Promise<{ etag: string; fragment: string }> {
    const session = await this.#find(kind, id, bearer)
    const { participation, offer } = session
    const { send, receive } = await participation.restartIce()
    const [transport, { ice_parameters }] =
      kind === 'whip' ? [participation.endpoint.send, send] : [participation.endpoint.receive, receive]
    session.etag = newEtag()
    return { etag: session.etag, fragment: writeFragment(offer, { ...transport, ice_parameters }) }
  }

  /** MUST be called every few seconds. */
  tick(): void {
    for (const { participation, player } of this.#sessions.values()) {
      participation.checkSilence()
      void participation.checkAccess()
      player?.tick()
    }
  }

  async #find(kind: HttpSessionKind, id: string, bearer: string): Promise<HttpSession> {
    const session = this.#sessions.get(id)
    ensure(session?.kind === kind, 'not_found')
    const isOwn = timingSafeEqual(session.bearerHash, hash(bearer))
    ensure(isOwn || (await this.#parts.entrants.isTokenOf(bearer, session.entrant)), 'not_found')
    return session
  }

  async #open(
    kind: HttpSessionKind,
    { tag, bearer, address, displayName }: SessionRequest,
    offer: Offer,
    payloadTypes?: ReturnType<typeof payloadTypesOf>,
  ): Promise<{ id: string; session: HttpSession }> {
    const { connect, entrants, monotonicMs } = this.#parts
    const sockets = connect(address)
    const entrant = await entrants.find(bearer, tag)
    const id = newSessionId(kind, tag)
    const onEnd = () => {
      this.#sessions.delete(id)
      void entrant.close().catch(() => {}) // the sign-in expires
    }
    const participation = await Participation.open(sockets, {
      tag,
      entrant,
      displayName,
      payloadTypes,
      monotonicMs,
      onEnd,
    })
    ensure(!participation.isEnded, 'temporarily_unavailable') // or nothing would remove it from the sessions
    const session = {
      kind,
      participation,
      entrant,
      bearerHash: hash(bearer),
      offer,
      etag: newEtag(),
      player: null,
    }
    this.#sessions.set(id, session)
    return { id, session }
  }

  async #orClose<T>({ participation }: HttpSession, open: () => Promise<T>): Promise<T> {
    try {
      return await open()
    } catch (error) {
      participation.close()
      throw error
    }
  }
}

const present = (id: string, { participation, etag }: HttpSession, answer: string): Answered => ({
  id,
  answer,
  etag,
  iceServers: participation.endpoint.ice_servers,
})

const newEtag = () => `"${randomUUID()}"`

const hash = (text: string) => createHash('sha256').update(text).digest()

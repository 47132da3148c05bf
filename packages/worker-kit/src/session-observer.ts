import { setTimeout as sleep } from 'node:timers/promises'
import { coalesced, Emitter } from '@lectern/common'
import type { ControlClient, MediaMessage, SessionView } from '@lectern/control-client'
import { type JobView, type SubscribeOffer, sessionStream } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { BoardObserver } from './board-observer.ts'
import { nowMs } from './clock.ts'
import { isTransient, reasonOf } from './failures.ts'
import type { BoardListener, IncomingTrack, ObservedEvent, Size } from './ports.ts'
import type { RtpReceiver } from './rtp-receiver.ts'
import { newSrtpKey, type SrtpKey } from './srtp.ts'
import { Tracks } from './tracks.ts'

export type MediaKind = IncomingTrack['kind']

export interface SessionObserverParts {
  /** A connection of this job alone, closed with the observer. */
  client: ControlClient
  job: JobView
  workerId: string
  intake: RtpReceiver
  /** The address to which the server sends RTP. */
  mediaIp: string
  kinds: MediaKind[]
  log: Logger
  /** Called when another worker holds the job. */
  lost: () => void
}

const RETRY_AFTER_MS = 1_000
const TTL_MS = 10_000
/** Buffered offers that arrived before the reply that names their endpoint. */
const EARLY_OFFERS_MAX = 1_000

/** Observes the session of a job until the session ends, reattaching after every disconnect. */
export class SessionObserver {
  readonly tracks: Tracks
  readonly #parts: SessionObserverParts
  readonly #events = new Emitter<ObservedEvent>()
  readonly #target: { kind: 'conference_session'; id: string }
  readonly #key: SrtpKey | undefined
  readonly #end = new AbortController()
  readonly #reattach = coalesced(() => this.#attachAndSubscribe())
  /** The connection that is attached; null while none is. */
  #attached: string | null = null
  #endpointId = ''
  #boardListener: BoardListener | null = null
  #board: BoardObserver | null = null
  /** The pages that the next board observer opens at once: those of the one before it. */
  #followed: readonly string[] = []
  #earlyOffers: MediaMessage[] = []

  constructor(parts: SessionObserverParts, { encrypted }: { encrypted: boolean }) {
    const { client, intake, job } = parts
    this.#parts = parts
    this.#target = { kind: 'conference_session', id: job.conference_session_id }
    this.#key = encrypted ? newSrtpKey() : undefined
    this.tracks = new Tracks({
      intake,
      requestKeyFrame: id => this.#requestKeyFrame(id),
      setDisplaySize: (id, size) => this.#setDisplaySize(id, size),
    })
    this.#listenToClient()
    client.open()
  }

  /** Null until the first snapshot, and once the session has ended. */
  view(): SessionView | null {
    const view = this.#parts.client.session(this.#target.id).get()
    return view?.ended ? null : view
  }

  onSession = (listener: (event: ObservedEvent) => void) => this.#events.on(listener)

  /** One listener at most. Pages are opened again for it after each loss of the connection. */
  followBoard(listener: BoardListener, followed: readonly string[] = []): () => void {
    this.#boardListener = listener
    this.#followed = followed
    if (this.#attached !== null) this.#openBoard()
    return () => {
      this.#boardListener = null
      this.#board?.close()
      this.#board = null
    }
  }

  /** Also ends all tracks. */
  close(): void {
    this.#end.abort()
    this.#board?.close()
    this.tracks.endAll()
    this.#parts.client.close()
  }

  #listenToClient(): void {
    const { client } = this.#parts
    const stream = sessionStream(this.#target.id)
    // Offers may have been lost while disconnected, even if the connection was resumed.
    client.state.subscribe(() => {
      if (client.state.get().is === 'ready') this.#reattach()
    })
    client.session(this.#target.id).subscribe(() => {
      const view = client.session(this.#target.id).get()
      if (view) this.tracks.update(view)
    })
    client.onSnapshot(({ streamId, state: body }) => {
      if (streamId === stream) this.#events.emit({ name: 'session.snapshot', body, atMs: nowMs() })
    })
    client.onEvent(({ stream_id, name, body }) => {
      if (stream_id !== stream) return
      this.#events.emit({ name, body, atMs: nowMs() })
      if (name === 'media.moved') this.#reattach()
    })
    client.onMedia(message => this.#receive(message))
  }

  async #attachAndSubscribe(): Promise<void> {
    const { client, log, lost } = this.#parts
    const state = client.state.get()
    if (state.is !== 'ready' || this.#end.signal.aborted) return
    try {
      const connection = state.binding.logical_connection_id
      if (this.#attached !== connection) {
        await this.#attach()
        this.#attached = connection
        this.#openBoard()
      }
      await this.#subscribe()
    } catch (error) {
      if (this.#end.signal.aborted) return
      const reason = reasonOf(error)
      if (reason === 'not_held') return lost()
      if (reason === 'session_over') return this.tracks.endAll()
      if (reason === 'not_inside') this.#attached = null
      else if (!isTransient(error))
        log.warn({ err: error }, 'the media of a session could not be subscribed to: retried')
      // Not awaited: an event in the meantime may trigger the retry earlier.
      sleep(RETRY_AFTER_MS, null, { signal: this.#end.signal, ref: false }).then(this.#reattach, () => {})
    }
  }

  async #attach(): Promise<void> {
    const { client, job, workerId } = this.#parts
    const target = { kind: 'operation', id: job.job_id } as const
    await client.command('job.attach', target, { worker_id: workerId }, { ttlMs: TTL_MS })
  }

  /** An attached worker may watch pages. */
  #openBoard(): void {
    this.#followed = this.#board?.pageIds ?? this.#followed
    this.#board?.close()
    this.#board =
      this.#boardListener &&
      new BoardObserver(this.#parts.client, this.#target.id, this.#boardListener, this.#followed)
  }

  /** Idempotent: repeats offers that were not answered yet. */
  async #subscribe(): Promise<void> {
    const { client, intake, mediaIp: ip, kinds } = this.#parts
    const body = { kinds, ip, port: intake.port, ...(this.#key && { srtp: this.#key }) }
    const tapped = await client.command('media.tap', this.#target, body, { ttlMs: TTL_MS })
    if (tapped.endpoint_id !== this.#endpointId) {
      this.tracks.endAll()
      intake.setSrtpKey(tapped.srtp)
      this.#endpointId = tapped.endpoint_id
    }
    for (const message of this.#earlyOffers.splice(0)) if (this.#isCurrent(message)) this.#accept(message)
  }

  #receive(message: MediaMessage): void {
    if (message.name !== 'webrtc_offer' || this.#end.signal.aborted) return
    if (this.#isCurrent(message)) this.#accept(message)
    else if (this.#earlyOffers.length < EARLY_OFFERS_MAX) this.#earlyOffers.push(message)
  }

  #isCurrent = ({ media }: MediaMessage) => media.endpoint_id === this.#endpointId

  #accept({ media, body }: MediaMessage): void {
    this.tracks.add(media.publication_id, body as unknown as SubscribeOffer, this.view())
    this.#parts.client.sendMedia(media, 'webrtc_answer', { format: 'ortc' })
  }

  #requestKeyFrame(publication_id: string): void {
    const { client } = this.#parts
    const requested = client.command(
      'media.request_key_frame',
      this.#target,
      { publication_id },
      { ttlMs: 2_000 },
    )
    requested.catch(() => {}) // the track requests again if it still needs one
  }

  #setDisplaySize(publication_id: string, shown: Size): Promise<unknown> {
    const { client } = this.#parts
    return client.command('media.set_layers', this.#target, { publication_id, shown }, { ttlMs: TTL_MS })
  }
}

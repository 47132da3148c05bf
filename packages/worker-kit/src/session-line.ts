import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlClient, MediaMessage, SessionView } from '@lectern/control-client'
import { type JobView, type SubscribeOffer, sessionStream } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { nowMs } from './clock.ts'
import { Emitter } from './emitter.ts'
import { isPassing, reasonOf } from './failures.ts'
import type { Intake } from './intake.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { IncomingTrack, SessionHappening, Size } from './ports.ts'
import { newSrtpKey, type SrtpKey } from './srtp.ts'
import { Tracks } from './tracks.ts'

export type MediaKind = IncomingTrack['kind']

export interface SessionLineParts {
  /** A connection of this job alone. Closed with the line. */
  client: ControlClient
  job: JobView
  workerId: string
  intake: Intake
  /** Where RTP is to come, as the server sees it. */
  mediaIp: string
  kinds: MediaKind[]
  log: Logger
  /** The job is another worker's now. */
  lost: () => void
}

const AGAIN_AFTER_MS = 1_000
const TTL_MS = 10_000
/** Offers that came before the answer about their endpoint. */
const EARLY_MAX = 1_000

/** Observes the session of a job from the attachment to the end of the session, whatever breaks in between. */
export class SessionLine {
  readonly tracks: Tracks
  readonly #parts: SessionLineParts
  readonly #happened = new Emitter<SessionHappening>()
  readonly #target: { kind: 'conference_session'; id: string }
  readonly #key: SrtpKey | undefined
  readonly #end = new AbortController()
  readonly #catchUp = oneAtATime(() => this.#attachAndTap())
  /** The connection that observes; null while none does. */
  #attached: string | null = null
  #endpointId = ''
  #early: MediaMessage[] = []

  constructor(parts: SessionLineParts, { encrypted }: { encrypted: boolean }) {
    const { client, intake, job } = parts
    this.#parts = parts
    this.#target = { kind: 'conference_session', id: job.conference_session_id }
    this.#key = encrypted ? newSrtpKey() : undefined
    this.tracks = new Tracks({
      intake,
      askKeyFrame: id => this.#askKeyFrame(id),
      tellSize: (id, size) => this.#tellSize(id, size),
    })
    this.#listen()
    client.open()
  }

  /** Null while it is not known, and when the session is over. */
  view(): SessionView | null {
    const view = this.#parts.client.session(this.#target.id).get()
    return view?.ended ? null : view
  }

  onSession = (listener: (happening: SessionHappening) => void) => this.#happened.on(listener)

  /** Tracks end, too. */
  close(): void {
    this.#end.abort()
    this.tracks.endAll()
    this.#parts.client.close()
  }

  #listen(): void {
    const { client } = this.#parts
    const stream = sessionStream(this.#target.id)
    // After each new beginning of the connection, be it a resume: offers may have been lost.
    client.state.subscribe(() => {
      if (client.state.get().is === 'ready') this.#catchUp()
    })
    client.session(this.#target.id).subscribe(() => {
      const view = client.session(this.#target.id).get()
      if (view) this.tracks.follow(view)
    })
    client.onSnapshot(({ streamId, state: body }) => {
      if (streamId === stream) this.#happened.emit({ name: 'session.snapshot', body, atMs: nowMs() })
    })
    client.onEvent(({ stream_id, name, body }) => {
      if (stream_id !== stream) return
      this.#happened.emit({ name, body, atMs: nowMs() })
      if (name === 'media.moved') this.#catchUp()
    })
    client.onMedia(message => this.#receive(message))
  }

  async #attachAndTap(): Promise<void> {
    const { client, log, lost } = this.#parts
    const state = client.state.get()
    if (state.is !== 'ready' || this.#end.signal.aborted) return
    try {
      const connection = state.binding.logical_connection_id
      if (this.#attached !== connection) await this.#attach()
      this.#attached = connection
      await this.#tap()
    } catch (error) {
      if (this.#end.signal.aborted) return
      const reason = reasonOf(error)
      if (reason === 'not_held') return lost()
      if (reason === 'session_over') return this.tracks.endAll()
      if (reason === 'not_inside') this.#attached = null
      else if (!isPassing(error)) log.warn({ err: error }, 'the session could not be tapped')
      // Not waited for here: what happens meanwhile may be a better moment.
      sleep(AGAIN_AFTER_MS, null, { signal: this.#end.signal, ref: false }).then(this.#catchUp, () => {})
    }
  }

  async #attach(): Promise<void> {
    const { client, job, workerId } = this.#parts
    const target = { kind: 'operation', id: job.job_id } as const
    await client.command('job.attach', target, { worker_id: workerId }, { ttlMs: TTL_MS })
  }

  /** Where nothing has changed, this brings offers that are not answered yet. */
  async #tap(): Promise<void> {
    const { client, intake, mediaIp: ip, kinds } = this.#parts
    const body = { kinds, ip, port: intake.port, ...(this.#key && { srtp: this.#key }) }
    const tapped = await client.command('media.tap', this.#target, body, { ttlMs: TTL_MS })
    if (tapped.endpoint_id !== this.#endpointId) {
      this.tracks.endAll()
      intake.expect(tapped.srtp)
      this.#endpointId = tapped.endpoint_id
    }
    for (const message of this.#early.splice(0)) if (this.#isCurrent(message)) this.#take(message)
  }

  #receive(message: MediaMessage): void {
    if (message.name !== 'webrtc_offer' || this.#end.signal.aborted) return
    if (this.#isCurrent(message)) this.#take(message)
    else if (this.#early.length < EARLY_MAX) this.#early.push(message)
  }

  #isCurrent = ({ media }: MediaMessage) => media.endpoint_id === this.#endpointId

  #take({ media, body }: MediaMessage): void {
    this.tracks.add(media.publication_id, body as unknown as SubscribeOffer, this.view())
    this.#parts.client.sendMedia(media, 'webrtc_answer', { format: 'ortc' })
  }

  #askKeyFrame(publication_id: string): void {
    const { client } = this.#parts
    const asked = client.command(
      'media.request_key_frame',
      this.#target,
      { publication_id },
      { ttlMs: 2_000 },
    )
    asked.catch(() => {}) // who still needs one asks again
  }

  #tellSize(publication_id: string, shown: Size): Promise<unknown> {
    const { client } = this.#parts
    return client.command('media.set_layers', this.#target, { publication_id, shown }, { ttlMs: TTL_MS })
  }
}

import { type Lifetime, Observable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { MediaSource } from '@lectern/protocol/control/client'
import type { Endpoint } from './endpoint.ts'
import type { MediaState } from './media-connection.ts'
import {
  type RouteStatistics,
  readReceived,
  readRoute,
  readSent,
  type StreamStatistics,
} from './read-stats.ts'
import { type StatsReport, toStatsReport } from './stats-report.ts'

export interface MediaStatisticsState {
  /** Null: nothing is sent, or received. */
  send: RouteStatistics | null
  receive: RouteStatistics | null
  sent: ReadonlyMap<MediaSource, StreamStatistics>
  /** By publication. */
  received: ReadonlyMap<string, StreamStatistics>
}

/** The ids of the tracks that are sent, by source. */
type Publishers = Readonly<Record<MediaSource, { readonly trackId: string | null }>>

const POLL_MS = 1_000

/** Rates, losses and routes of this connection, read while somebody subscribes. Null until there are some. */
export class MediaStatistics extends Observable<MediaStatisticsState | null> {
  readonly #media: Readable<MediaState>
  readonly #publishers: Publishers
  #last: { endpoint: Endpoint; send: StatsReport; receive: StatsReport } | null = null
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(media: Readable<MediaState>, publishers: Publishers, lifetime: Lifetime) {
    super(null)
    this.#media = media
    this.#publishers = publishers
    lifetime.defer(() => clearInterval(this.#timer))
  }

  protected override onFirstSubscribe(): void {
    void this.#read()
    this.#timer = setInterval(() => void this.#read(), POLL_MS)
  }

  protected override onLastUnsubscribe(): void {
    clearInterval(this.#timer)
    this.#last = null
    this.set(null)
  }

  async #read(): Promise<void> {
    const media = this.#media.get()
    if (media.is !== 'open') return this.set(null)
    const { endpoint } = media
    // A transport that is closed meanwhile has none.
    const stats = await endpoint.getStats().catch(() => null)
    if (!stats) return
    const [send, receive] = [toStatsReport(stats.send), toStatsReport(stats.receive)]
    const before = this.#last?.endpoint === endpoint ? this.#last : null
    this.#last = { endpoint, send, receive }
    this.set({
      send: readRoute(send),
      receive: readRoute(receive),
      sent: this.#bySource(readSent(send, before?.send ?? null)),
      received: byPublication(endpoint, readReceived(receive, before?.receive ?? null)),
    })
  }

  #bySource(byTrack: ReadonlyMap<string, StreamStatistics>): Map<MediaSource, StreamStatistics> {
    const sent = new Map<MediaSource, StreamStatistics>()
    for (const [source, { trackId }] of Object.entries(this.#publishers) as [
      MediaSource,
      Publishers[MediaSource],
    ][]) {
      const found = byTrack.get(trackId ?? '')
      if (found) sent.set(source, found)
    }
    return sent
  }
}

function byPublication(
  { subscriptions }: Endpoint,
  byTrack: ReadonlyMap<string, StreamStatistics>,
): Map<string, StreamStatistics> {
  const received = new Map<string, StreamStatistics>()
  for (const [publicationId, { track }] of subscriptions.get()) {
    const found = byTrack.get(track.id)
    if (found) received.set(publicationId, found)
  }
  return received
}

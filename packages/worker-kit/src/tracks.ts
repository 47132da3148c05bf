import { Emitter } from '@lectern/common'
import type { SessionView } from '@lectern/control-client'
import type { SubscribeOffer } from '@lectern/protocol/control'
import type { IncomingTrack, Size } from './ports.ts'
import type { RtpReceiver } from './rtp-receiver.ts'
import { SubscribedTrack } from './subscribed-track.ts'

interface TracksParts {
  intake: RtpReceiver
  requestKeyFrame: (publicationId: string) => void
  setDisplaySize: (publicationId: string, size: Size) => Promise<unknown>
}

/** The incoming tracks of a session, one per publication. */
export class Tracks {
  readonly #parts: TracksParts
  readonly #added = new Emitter<IncomingTrack>()
  readonly #byPublication = new Map<string, { track: SubscribedTrack; isListed: boolean }>()

  constructor(parts: TracksParts) {
    this.#parts = parts
  }

  /** Existing tracks are passed immediately. */
  onTrack(listener: (track: IncomingTrack) => void): () => void {
    for (const { track } of [...this.#byPublication.values()]) listener(track)
    return this.#added.on(listener)
  }

  /** Repeated offers are ignored. */
  add(publicationId: string, offer: SubscribeOffer, view: SessionView | null): void {
    const known = this.#byPublication.get(publicationId)?.track
    if (known?.consumerId === offer.consumer_id) return
    this.#end(publicationId)
    const listed = view?.publications.find(({ publication_id }) => publication_id === publicationId)
    const track = new SubscribedTrack({
      publicationId,
      offer,
      isPaused: listed?.paused ?? false,
      requestKeyFrame: () => this.#parts.requestKeyFrame(publicationId),
      setDisplaySize: size => this.#parts.setDisplaySize(publicationId, size),
    })
    this.#byPublication.set(publicationId, { track, isListed: listed !== undefined })
    this.#parts.intake.connect(track.ssrc, track)
    this.#added.emit(track)
  }

  /** Applies the publications of the session state. An offer may arrive before its publication is listed. */
  update({ publications, ended }: SessionView): void {
    if (ended) this.endAll()
    const listed = new Map(publications.map(each => [each.publication_id, each]))
    for (const [id, entry] of [...this.#byPublication]) {
      const publication = listed.get(id)
      if (publication) {
        entry.isListed = true
        entry.track.pause(publication.paused)
      } else if (entry.isListed) this.#end(id)
    }
  }

  endAll(): void {
    for (const id of [...this.#byPublication.keys()]) this.#end(id)
  }

  #end(publicationId: string): void {
    const known = this.#byPublication.get(publicationId)
    if (!known) return
    this.#byPublication.delete(publicationId)
    this.#parts.intake.disconnect(known.track.ssrc)
    known.track.end()
  }
}

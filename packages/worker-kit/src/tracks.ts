import type { SessionView } from '@lectern/control-client'
import type { SubscribeOffer } from '@lectern/protocol/control'
import { Emitter } from './emitter.ts'
import type { Intake } from './intake.ts'
import type { IncomingTrack, Size } from './ports.ts'
import { Track } from './track.ts'

interface TracksParts {
  intake: Intake
  askKeyFrame: (publicationId: string) => void
  tellSize: (publicationId: string, size: Size) => Promise<unknown>
}

/** What comes in from a session, one track for each publication. */
export class Tracks {
  readonly #parts: TracksParts
  readonly #begun = new Emitter<IncomingTrack>()
  readonly #byPublication = new Map<string, { track: Track; isListed: boolean }>()

  constructor(parts: TracksParts) {
    this.#parts = parts
  }

  /** Those that are there already come at once. */
  on(listener: (track: IncomingTrack) => void): () => void {
    for (const { track } of [...this.#byPublication.values()]) listener(track)
    return this.#begun.on(listener)
  }

  /** An offer that is repeated changes nothing. */
  add(publicationId: string, offer: SubscribeOffer, view: SessionView | null): void {
    const known = this.#byPublication.get(publicationId)?.track
    if (known?.consumerId === offer.consumer_id) return
    this.#end(publicationId)
    const listed = view?.publications.find(({ publication_id }) => publication_id === publicationId)
    const track = new Track({
      publicationId,
      offer,
      isPaused: listed?.paused ?? false,
      askKeyFrame: () => this.#parts.askKeyFrame(publicationId),
      tellSize: size => this.#parts.tellSize(publicationId, size),
    })
    this.#byPublication.set(publicationId, { track, isListed: listed !== undefined })
    this.#parts.intake.connect(track.ssrc, track)
    this.#begun.emit(track)
  }

  /** What the session says of its publications. An offer may be here before its publication is listed. */
  follow({ publications, ended }: SessionView): void {
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

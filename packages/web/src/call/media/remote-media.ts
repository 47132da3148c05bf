import { type Lifetime, Observable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { MediaSource } from '@lectern/protocol/control/client'
import type { CurrentSession } from '../current-session.ts'
import type { Membership } from '../membership.ts'
import type { MediaState } from './media-connection.ts'
import type { Subscription, Subscriptions } from './subscriptions.ts'

export interface RemoteTrack {
  publicationId: string
  source: MediaSource
  /** Null until it has been offered. */
  track: MediaStreamTrack | null
  /** Nothing is sent: the tile shows the name, or a muted microphone. */
  paused: boolean
}

/** By participant id, then by source. */
export type RemoteTracks = ReadonlyMap<string, Partial<Record<MediaSource, RemoteTrack>>>

/** The media that the other participants send: the publications of the session, with their tracks. */
export class RemoteMedia extends Observable<RemoteTracks> {
  readonly #session: CurrentSession
  readonly #membership: Membership
  #subscriptions: Subscriptions | null = null
  #unsubscribe = () => {}
  #listed: ReadonlySet<string> = new Set()

  constructor(
    media: Readable<MediaState>,
    session: CurrentSession,
    membership: Membership,
    lifetime: Lifetime,
  ) {
    super(new Map())
    this.#session = session
    this.#membership = membership
    lifetime.defer(media.subscribe(() => this.#attach(media.get())))
    lifetime.defer(session.subscribe(() => this.#update()))
    lifetime.defer(() => this.#unsubscribe())
  }

  #attach(state: MediaState): void {
    this.#unsubscribe()
    this.#subscriptions = state.is === 'open' ? state.endpoint.subscriptions : null
    this.#unsubscribe = this.#subscriptions?.subscribe(() => this.#publish()) ?? (() => {})
    this.#publish()
  }

  /** An offer may arrive before its publication is listed, so only listed publications can end. */
  #update(): void {
    const listed = new Set(this.#session.publications.map(each => each.publication_id))
    for (const id of this.#listed) if (!listed.has(id)) this.#subscriptions?.remove(id)
    this.#listed = listed
    this.#publish()
  }

  #publish(): void {
    const membership = this.#membership.get()
    const self = membership.is === 'joined' ? membership.participant.participantId : null
    const tracks: ReadonlyMap<string, Subscription> = this.#subscriptions?.get() ?? new Map()
    const remote = new Map<string, Partial<Record<MediaSource, RemoteTrack>>>()
    for (const { publication_id, participant_id, source, paused } of this.#session.publications) {
      if (participant_id === self) continue
      const track = tracks.get(publication_id)?.track ?? null
      const sources = remote.get(participant_id) ?? {}
      remote.set(participant_id, {
        ...sources,
        [source]: { publicationId: publication_id, source, track, paused },
      })
    }
    this.set(remote)
  }
}

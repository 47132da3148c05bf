import { Emitter } from '@lectern/common'
import type {
  Binding,
  ControlFrame,
  ControlMedia,
  JsonObject,
  MediaRef,
} from '@lectern/protocol/control/client'
import { isAfter } from './counter.ts'

/** Publications whose route is remembered; outdated messages arrive within seconds. */
const ROUTES_MAX = 1_000

export type MediaMessage = Omit<ControlMedia, 'binding'>

/**
 * WebRTC negotiation messages (docs/control-protocol.md, "Media"). They are bound to one connection: after a
 * disconnect a negotiation starts again. Messages of an outdated route are dropped (rule C15).
 */
export class Media {
  #send: (frame: ControlFrame) => boolean
  #binding: Binding | null = null
  #routes = new Map<string, string>()
  #received = new Emitter<MediaMessage>()
  on = this.#received.on

  constructor(send: (frame: ControlFrame) => boolean) {
    this.#send = send
  }

  /** Returns false, and sends nothing, when the connection is not ready. */
  send(media: MediaRef, name: ControlMedia['name'], body: JsonObject): boolean {
    const binding = this.#binding
    return binding !== null && this.#send({ control_media: { binding, media, name, body } })
  }

  receive({ media, name, body }: ControlMedia): void {
    const newest = this.#routes.get(media.publication_id)
    if (newest !== undefined && isAfter(newest, media.route_generation)) return
    this.#remember(media)
    this.#received.emit({ media, name, body })
  }

  /** The publications without messages for the longest time are forgotten. */
  #remember({ publication_id, route_generation }: MediaRef): void {
    this.#routes.delete(publication_id)
    this.#routes.set(publication_id, route_generation)
    for (const oldest of this.#routes.keys()) {
      if (this.#routes.size <= ROUTES_MAX) return
      this.#routes.delete(oldest)
    }
  }

  /** `fresh`: the publications of the previous connection are gone. */
  ready(binding: Binding, fresh: boolean): void {
    this.#binding = binding
    if (fresh) this.#routes.clear()
  }

  onDisconnected(): void {
    this.#binding = null
  }
}

import type {
  Binding,
  ControlFrame,
  ControlMedia,
  JsonObject,
  MediaRef,
} from '@lectern/protocol/control/client'
import { isAfter } from './counter.ts'
import { Emitter } from './observable.ts'

export type MediaMessage = Omit<ControlMedia, 'binding'>

/**
 * Steps of WebRTC negotiations (contract §2.9 "control_media"). They are worth nothing on another connection:
 * whoever negotiates begins again after a loss. What comes from a route that is no more is dropped (rule C15).
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

  /** False when the connection is not ready; then nothing was sent. */
  send(media: MediaRef, name: ControlMedia['name'], body: JsonObject): boolean {
    const binding = this.#binding
    return binding !== null && this.#send({ control_media: { binding, media, name, body } })
  }

  receive({ media, name, body }: ControlMedia): void {
    const newest = this.#routes.get(media.publication_id)
    if (newest !== undefined && isAfter(newest, media.route_generation)) return
    this.#routes.set(media.publication_id, media.route_generation)
    this.#received.emit({ media, name, body })
  }

  /** `fresh`: the publications of the connection before are no more. */
  ready(binding: Binding, fresh: boolean): void {
    this.#binding = binding
    if (fresh) this.#routes.clear()
  }

  paused(): void {
    this.#binding = null
  }
}

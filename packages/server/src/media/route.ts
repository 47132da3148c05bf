import type { Router } from 'mediasoup/types'
import { CODECS } from './codecs.ts'
import type { MediaWorker } from './media-worker.ts'
import { type SpeakerEvents, Speakers } from './speakers.ts'

/** Where the media of a room flows: a router on one worker. When the worker dies there is another route. */
export interface Route {
  node: MediaWorker
  router: Router
  speakers: Speakers
  /** Grows with each route of the room. Clients see it as `route_generation`. */
  generation: string
}

export async function openRoute(
  node: MediaWorker,
  generation: string,
  events: SpeakerEvents,
): Promise<Route> {
  const router = await node.worker.createRouter({ mediaCodecs: CODECS })
  try {
    return { node, router, generation, speakers: await Speakers.in(router, events) }
  } catch (error) {
    router.close()
    throw error
  }
}

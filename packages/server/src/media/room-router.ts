import type { Router } from 'mediasoup/types'
import { CODECS } from './codecs.ts'
import type { MediaWorker } from './media-worker.ts'
import { SpeakerDetector, type SpeakerEvents } from './speaker-detector.ts'

/** A room's router on one worker. When the worker dies, the room gets another router. */
export interface RoomRouter {
  node: MediaWorker
  router: Router
  speakers: SpeakerDetector
  /** Grows with each router of the room. Clients see it as `route_generation`. */
  generation: string
}

export async function createRoomRouter(
  node: MediaWorker,
  generation: string,
  events: SpeakerEvents,
): Promise<RoomRouter> {
  const router = await node.worker.createRouter({ mediaCodecs: CODECS })
  try {
    return { node, router, generation, speakers: await SpeakerDetector.create(router, events) }
  } catch (error) {
    router.close()
    throw error
  }
}

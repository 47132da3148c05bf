import { type ProbeView, Refusal } from '@lectern/protocol'
import type { Router, WebRtcTransport } from 'mediasoup/types'
import { FairQueue, type FairQueueLimits } from './fair-queue.ts'
import type { MediaWorker } from './media-worker.ts'
import { networkOf } from './probe-network.ts'
import { describeProbe, probeIceServers } from './probe-view.ts'
import type { TurnSettings } from './turn.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface ProbesParts {
  workers: WorkerPool
  turn: TurnSettings
  clock: () => number
  limits?: Partial<FairQueueLimits>
  /** How long each is open. */
  forMs?: number
}

/** Enough for a class behind one address. The page gives up after 15 s. */
const LIMITS: FairQueueLimits = {
  places: 200,
  placesOfOne: 40,
  waiting: 200,
  waitingOfOne: 40,
  waitMs: 12_000,
}

/** A browser tries all ways at once, each for 5 s. */
const FOR_MS = 10_000

/** Transports that answer the ICE checks of anybody for a short time, and carry nothing. */
export class Probes {
  readonly #parts: Required<Omit<ProbesParts, 'limits'>>
  /** One for all probes of a worker. It goes with the worker. */
  readonly #routers = new WeakMap<MediaWorker, Promise<Router>>()
  readonly #queue: FairQueue

  constructor({ limits, ...parts }: ProbesParts) {
    this.#parts = { forMs: FOR_MS, ...parts }
    this.#queue = new FairQueue({ ...LIMITS, ...limits })
  }

  /**
   * What is opened closes by itself. While too many are open it waits for its turn; refused when too many wait, or no
   * worker lives. `signal` says that nobody waits for it any more.
   */
  async open(address: string, signal?: AbortSignal): Promise<ProbeView> {
    const { turn, clock, forMs } = this.#parts
    const release = await this.#queue.acquire(networkOf(address), signal)
    const transport = await this.#transport().catch(error => {
      release()
      throw error
    })
    const end = setTimeout(() => transport.close(), forMs)
    transport.observer.once('close', () => {
      clearTimeout(end)
      release()
    })
    const ice_servers = probeIceServers(turn, clock())
    return { ...describeProbe(transport), ice_servers, expires_in_ms: forMs }
  }

  async #transport(): Promise<WebRtcTransport> {
    const { workers } = this.#parts
    if (workers.living.length === 0) throw new Refusal('temporarily_unavailable')
    const node = await workers.pick()
    try {
      const router = await this.#routerOn(node)
      return await router.createWebRtcTransport({
        webRtcServer: node.server,
        enableUdp: true,
        enableTcp: true,
      })
    } catch (error) {
      // The worker may have died meanwhile; another one takes its place.
      throw node.worker.closed ? new Refusal('temporarily_unavailable', undefined, { cause: error }) : error
    }
  }

  #routerOn(node: MediaWorker): Promise<Router> {
    const router = this.#routers.get(node) ?? node.worker.createRouter()
    this.#routers.set(node, router)
    return router
  }
}

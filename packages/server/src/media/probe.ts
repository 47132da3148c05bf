import { type ProbeView, Refusal } from '@lectern/protocol'
import type { Router, WebRtcTransport } from 'mediasoup/types'
import type { MediaWorker } from './media-worker.ts'
import { networkOf } from './probe-network.ts'
import { describeProbe, probeIceServers } from './probe-view.ts'
import type { TurnSettings } from './turn.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface ProbesParts {
  workers: WorkerPool
  turn: TurnSettings
  clock: () => number
  /** How many may be open at once. */
  max?: number
  /** How many of them may be of one address. */
  maxOfOne?: number
  /** How long each is open. */
  forMs?: number
}

const MAX = 50
const MAX_OF_ONE = 5
const FOR_MS = 20_000

/** Transports that answer the ICE checks of anybody for a short time, and carry nothing. */
export class Probes {
  readonly #parts: Required<ProbesParts>
  /** One for all probes of a worker. It goes with the worker. */
  readonly #routers = new WeakMap<MediaWorker, Promise<Router>>()
  /** By whom each is; those that are just being opened included. */
  readonly #open = new Set<{ by: string }>()

  constructor(parts: ProbesParts) {
    this.#parts = { max: MAX, maxOfOne: MAX_OF_ONE, forMs: FOR_MS, ...parts }
  }

  /** What is opened closes by itself. Refused while too many are open, or no worker lives. */
  async open(address: string): Promise<ProbeView> {
    const { workers, turn, clock, forMs } = this.#parts
    const probe = { by: networkOf(address) }
    if (this.#isFullFor(probe.by) || workers.living.length === 0) throw new Refusal('temporarily_unavailable')
    this.#open.add(probe)
    const transport = await this.#transport().catch(error => {
      this.#open.delete(probe)
      throw error
    })
    const end = setTimeout(() => transport.close(), forMs)
    transport.observer.once('close', () => {
      clearTimeout(end)
      this.#open.delete(probe)
    })
    const ice_servers = probeIceServers(turn, clock())
    return { ...describeProbe(transport), ice_servers, expires_in_ms: forMs }
  }

  #isFullFor(who: string): boolean {
    const { max, maxOfOne } = this.#parts
    return this.#open.size >= max || [...this.#open].filter(({ by }) => by === who).length >= maxOfOne
  }

  async #transport(): Promise<WebRtcTransport> {
    const node = await this.#parts.workers.pick()
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

import { Refusal } from '@lectern/protocol'
import type { Router, WebRtcTransport } from 'mediasoup/types'
import { FairQueue, type FairQueueLimits } from './fair-queue.ts'
import type { MediaWorker } from './media-worker.ts'
import type { ConnectionProbe } from './ports.ts'
import { networkOf } from './probe-network.ts'
import { type TurnSettings, turnAccess } from './turn.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface ConnectionProbesParts {
  workers: WorkerPool
  turn: TurnSettings
  clock: () => number
  limits?: Partial<FairQueueLimits>
  /** How long a probe stays open. */
  lifetimeMs?: number
}

/** Enough for a school class behind one address. The page gives up after 15 s. */
const LIMITS: FairQueueLimits = {
  capacity: 200,
  capacityPerClient: 40,
  maxWaiting: 200,
  maxWaitingPerClient: 40,
  maxWaitMs: 12_000,
}

/** A browser tries all candidates in parallel, each for 5 s. */
const LIFETIME_MS = 10_000

/** The caller is anonymous: only a little longer than a test takes and clocks may differ. */
const TURN_TTL_SECONDS = 300

/** Short-lived transports that answer anybody's ICE checks and carry no media, for the connection test. */
export class ConnectionProbes {
  readonly #parts: Required<Omit<ConnectionProbesParts, 'limits'>>
  /** One for all probes of a worker; mediasoup closes it with the worker. */
  readonly #routers = new WeakMap<MediaWorker, Promise<Router>>()
  readonly #queue: FairQueue

  constructor({ limits, ...parts }: ConnectionProbesParts) {
    this.#parts = { lifetimeMs: LIFETIME_MS, ...parts }
    this.#queue = new FairQueue({ ...LIMITS, ...limits })
  }

  /**
   * Opens a probe that closes by itself. Waits while too many are open. Rejects with `temporarily_unavailable` when
   * too many wait, when no worker is alive, or when `signal` aborts.
   */
  async open(address: string, signal?: AbortSignal): Promise<ConnectionProbe> {
    const { turn, clock, lifetimeMs } = this.#parts
    const release = await this.#queue.acquire(networkOf(address), signal)
    const transport = await this.#transport().catch(error => {
      release()
      throw error
    })
    const end = setTimeout(() => transport.close(), lifetimeMs)
    transport.observer.once('close', () => {
      clearTimeout(end)
      release()
    })
    const { iceParameters, iceCandidates, dtlsParameters } = transport
    const { fingerprints } = dtlsParameters
    // Bound to no account.
    const turnServers = turnAccess(turn, 'probe', clock(), TURN_TTL_SECONDS)?.servers ?? []
    return { iceParameters, iceCandidates, fingerprints, turnServers, expiresInMs: lifetimeMs }
  }

  async #transport(): Promise<WebRtcTransport> {
    const { workers } = this.#parts
    if (workers.alive.length === 0) throw new Refusal('temporarily_unavailable')
    const node = await workers.pick()
    try {
      const router = await this.#routerOn(node)
      return await router.createWebRtcTransport({
        webRtcServer: node.server,
        enableUdp: true,
        enableTcp: true,
      })
    } catch (error) {
      // The worker may have died meanwhile; it is being replaced.
      throw node.worker.closed ? new Refusal('temporarily_unavailable', undefined, { cause: error }) : error
    }
  }

  #routerOn(node: MediaWorker): Promise<Router> {
    const router = this.#routers.get(node) ?? node.worker.createRouter()
    this.#routers.set(node, router)
    return router
  }
}

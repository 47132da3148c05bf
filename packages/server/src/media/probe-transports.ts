import { Refusal } from '@lectern/protocol'
import type { Router, WebRtcTransport } from 'mediasoup/types'
import type { MediaWorker } from './media-worker.ts'
import type { ProbeTransport } from './ports.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Short-lived transports that answer anybody's ICE checks and carry no media. */
export class ProbeTransports {
  readonly #workers: WorkerPool
  /** One for all probes of a worker; mediasoup closes it with the worker. */
  readonly #routers = new WeakMap<MediaWorker, Promise<Router>>()

  constructor(workers: WorkerPool) {
    this.#workers = workers
  }

  /** `onClose` runs once when it has closed. Rejects with `temporarily_unavailable` when no worker is alive. */
  async open(lifetimeMs: number, onClose: () => void): Promise<ProbeTransport> {
    const { transport, node } = await this.#create()
    const end = setTimeout(() => transport.close(), lifetimeMs)
    transport.observer.once('close', () => {
      clearTimeout(end)
      onClose()
    })
    const { iceParameters, dtlsParameters } = transport
    const iceCandidates = node.announcedName.resolve(transport.iceCandidates)
    return { iceParameters, iceCandidates, fingerprints: dtlsParameters.fingerprints }
  }

  async #create(): Promise<{ transport: WebRtcTransport; node: MediaWorker }> {
    if (this.#workers.alive.length === 0) throw new Refusal('temporarily_unavailable')
    const node = await this.#workers.pick()
    try {
      const router = await this.#routerOn(node)
      const options = { webRtcServer: node.server, enableUdp: true, enableTcp: true }
      return { transport: await router.createWebRtcTransport(options), node }
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

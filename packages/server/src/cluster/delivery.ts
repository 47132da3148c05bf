import { Emitter } from '@lectern/common'
import type { Members } from './members.ts'
import type { ClusterNetwork } from './network.ts'

/** Without trouble, too, because nobody notices a message that NATS has dropped. */
const ROUTINE_MS = 60_000
/** While events are known to be missing. */
const TROUBLE_MS = 3_000
/** A server that went silent may run, cut off from NATS, and its events be missing here. */
const SUSPICION_MS = 60_000

/** How far this server can rely on the events of the others; what it cannot, it reads from the store. */
export class ClusterDelivery {
  readonly #network: ClusterNetwork
  readonly #lost = new Emitter<void>()
  #suspectUntilMs = Number.NEGATIVE_INFINITY

  constructor(network: ClusterNetwork, members: Members) {
    this.#network = network
    network.onReconnect(() => this.#lost.emit())
    members.onJoined(({ role }) => {
      // What it published while it was away did not arrive.
      if (role === 'server') this.#lost.emit()
    })
    members.onGone(({ role }) => {
      if (role === 'server') this.#suspectUntilMs = performance.now() + SUSPICION_MS
    })
  }

  /** How often what events change has to be compared with the store. */
  verifyEveryMs(): number {
    const isInTrouble = !this.#network.isConnected || performance.now() < this.#suspectUntilMs
    return isInTrouble ? TROUBLE_MS : ROUTINE_MS
  }

  onLost(handler: () => void): void {
    this.#lost.on(handler)
  }
}

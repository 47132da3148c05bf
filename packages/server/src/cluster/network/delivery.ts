import { Emitter } from '@lectern/common'
import type { Members } from '../members/members.ts'
import type { ClusterNetwork } from './network.ts'

/** Without trouble, too, because nobody notices a message that NATS has dropped. */
const ROUTINE_MS = 60_000
/** While events are known to be missing. */
const TROUBLE_MS = 3_000
/** Until the database shows whether a server that went silent runs on, cut off from NATS. */
const SUSPICION_MS = 10_000

/** How far this server can rely on the events of the others; what it cannot, it reads from the store. */
export class ClusterDelivery {
  readonly #network: ClusterNetwork
  readonly #members: Members
  readonly #lost = new Emitter<void>()
  #expected: () => readonly string[] = () => []
  #suspectUntilMs = Number.NEGATIVE_INFINITY

  constructor(network: ClusterNetwork, members: Members) {
    this.#network = network
    this.#members = members
    network.onReconnect(() => this.#lost.emit())
    members.onJoined(({ role }) => {
      // Events that this member published while it was away did not arrive.
      if (role === 'server') this.#lost.emit()
    })
    members.onGone(({ role }) => {
      if (role === 'server') this.#suspectUntilMs = performance.now() + SUSPICION_MS
    })
  }

  /** How often what events change has to be compared with the store. */
  verifyEveryMs(): number {
    return this.isReliable ? ROUTINE_MS : TROUBLE_MS
  }

  /** Whether the reports of all servers that run are received. */
  get isReliable(): boolean {
    const isSuspicious = performance.now() < this.#suspectUntilMs
    const isCutOff = this.#expected().some(id => !this.#members.get(id))
    return this.#network.isConnected && !isSuspicious && !isCutOff
  }

  /** The ids of servers that run: events of those whose reports are not received are missing. */
  expectServers(list: () => readonly string[]): void {
    this.#expected = list
  }

  onLost(handler: () => void): void {
    this.#lost.on(handler)
  }
}

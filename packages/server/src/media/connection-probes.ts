import { FairQueue, type FairQueueLimits } from '../platform/fair-queue.ts'
import { networksOf } from '../platform/networks.ts'
import { shortDigest } from '../platform/short-digest.ts'
import type { ConnectionProbe, MediaServer } from './ports.ts'
import { type TurnSettings, turnAccess } from './turn.ts'

export interface ConnectionProbesParts {
  media: Pick<MediaServer, 'openProbe'>
  turn: () => TurnSettings
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

/**
 * TURN servers limit the relays of each name. A class that tests at once behind one address fits into these, and one network
 * takes the relays of no other.
 */
const NAMES_PER_NETWORK = 16

/** The caller is anonymous: only a little longer than a test takes and clocks may differ. */
const TURN_TTL_SECONDS = 300

/** Probes of the connection test, shared fairly among those who ask. */
export class ConnectionProbes {
  readonly #parts: Required<Omit<ConnectionProbesParts, 'limits'>>
  readonly #queue: FairQueue
  #opened = 0

  constructor({ limits, ...parts }: ConnectionProbesParts) {
    this.#parts = { lifetimeMs: LIFETIME_MS, ...parts }
    this.#queue = new FairQueue({ ...LIMITS, ...limits })
  }

  /**
   * Opens a probe that closes by itself. Waits while too many are open. Rejects with `temporarily_unavailable` when
   * too many wait or no worker is alive, and with the reason of `signal` when that aborts.
   */
  async open(address: string, signal?: AbortSignal): Promise<ConnectionProbe> {
    const { media, turn, clock, lifetimeMs } = this.#parts
    const network = networksOf(address).narrow
    const release = await this.#queue.acquire(network, signal)
    const probe = await media.openProbe(lifetimeMs, release).catch(error => {
      release()
      throw error
    })
    // Bound to no account.
    const name = `probe-${shortDigest(network)}-${this.#opened++ % NAMES_PER_NETWORK}`
    const turnServers = turnAccess(turn(), name, clock(), TURN_TTL_SECONDS)?.servers ?? []
    return { ...probe, turnServers, expiresInMs: lifetimeMs }
  }
}

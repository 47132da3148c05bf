import { FairQueue, type FairQueueLimits } from '../platform/fair-queue.ts'
import { networksOf } from '../platform/networks.ts'
import type { ConnectionProbe, MediaServer } from './ports.ts'
import { type TurnSettings, turnAccess } from './turn.ts'

export interface ConnectionProbesParts {
  media: Pick<MediaServer, 'openProbe'>
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

/** Probes of the connection test, shared fairly among those who ask. */
export class ConnectionProbes {
  readonly #parts: Required<Omit<ConnectionProbesParts, 'limits'>>
  readonly #queue: FairQueue

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
    const release = await this.#queue.acquire(networksOf(address).narrow, signal)
    const probe = await media.openProbe(lifetimeMs, release).catch(error => {
      release()
      throw error
    })
    // Bound to no account.
    const turnServers = turnAccess(turn, 'probe', clock(), TURN_TTL_SECONDS)?.servers ?? []
    return { ...probe, turnServers, expiresInMs: lifetimeMs }
  }
}

/** A due row of a queue. */
export interface DueDelivery {
  id: string
  /** Rows of one target share their concurrency and their health. */
  target: string
}

export interface Lease {
  /** Identifies the holder. */
  token: string
  untilMs: number
}

export interface DueLimits {
  all: number
  /** For each target. */
  each: number
  /** Targets that are left out. */
  except: string[]
}

/** The rows of a queue, as its implementation in a database. All times are in milliseconds. */
export interface LeaseStore<Delivery> {
  /** The longest due first, at most `each` per target, none of the targets `except`. */
  due(nowMs: number, limits: DueLimits): Promise<DueDelivery[]>
  /** Leases those that are still due; they are due again when the lease expires. */
  lease(ids: string[], lease: Lease, nowMs: number): Promise<Delivery[]>
  /** What is due later is due sooner by that: the clock was set back, and all would wait longer. Leases end sooner, too. */
  bringForward(byMs: number, nowMs: number): Promise<void>
}

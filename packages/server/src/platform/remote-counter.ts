import { setTimeout as delay } from 'node:timers/promises'

/** A value of this age is recent enough; more frequent fetches of many servers would load the database. */
const FRESH_MS = 10
/** Nothing waits longer for a database that does not answer. */
const PATIENCE_MS = 1_000
/** Pause between attempts while the database is unavailable. */
const RETRY_MS = 500

/**
 * A number in a database that other processes increment. Concurrent callers share a fetch. While the database is
 * away, its last number counts: nobody can increment it either, except if only this server is cut off.
 */
export class RemoteCounter {
  readonly #fetch: () => Promise<number>
  readonly #onChange: () => void
  #value: number | null = null
  #freshUntil = 0
  #isAway = false
  #fetching: Promise<void> | null = null

  constructor(fetch: () => Promise<number>, onChange: () => void) {
    this.#fetch = fetch
    this.#onChange = onChange
  }

  /** Null: the number is known. Otherwise resolves when it is, or when it cannot be found out; never rejects. */
  refresh(): Promise<void> | null {
    const now = performance.now()
    if (now < this.#freshUntil) return null
    if (this.#isAway) {
      this.#start(now)
      return null
    }
    // A fetch that runs already may have read the number before the caller's reason to ask; the next one has not.
    if (this.#fetching) return this.#fetching.then(() => this.refresh() ?? undefined)
    this.#start(now)
    return this.#fetching
  }

  #start(now: number): void {
    if (this.#fetching) return
    const timeout = new AbortController()
    const tooLong = delay(PATIENCE_MS, null, { signal: timeout.signal, ref: false }).catch(() => null)
    const fetched = this.#fetch().catch(() => null)
    this.#fetching = Promise.race([fetched, tooLong]).then(value => {
      timeout.abort()
      this.#fetching = null
      this.#isAway = value === null
      this.#freshUntil = this.#isAway ? performance.now() + RETRY_MS : now + FRESH_MS
      if (value === null || value === this.#value) return
      if (this.#value !== null) this.#onChange()
      this.#value = value
    })
  }
}

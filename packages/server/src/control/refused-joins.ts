import { type ErrorCode, Refusal } from '@lectern/protocol'

/**
 * Somebody who is refused for these reasons waits in the lobby, and for `elsewhere` joins at another server: both are
 * on their way.
 */
const ON_THE_WAY: readonly string[] = ['approval', 'locked', 'not_started', 'elsewhere'] satisfies ErrorCode[]

/** Counts who could not enter a session, by error code: there are as many counters as codes, at most. */
export class RefusedJoins {
  readonly #counts = new Map<string, number>()

  /** Settles as `join` does. */
  async counting<T>(join: Promise<T>): Promise<T> {
    try {
      return await join
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'internal_error'
      if (!ON_THE_WAY.includes(code)) this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1)
      throw error
    }
  }

  get metrics() {
    return {
      lectern_refused_joins_total: {
        help: 'Attempts to enter a session that were refused, by error code.',
        type: 'counter',
        label: 'code',
        read: (): ReadonlyMap<string, number> => this.#counts,
      },
    } as const
  }
}

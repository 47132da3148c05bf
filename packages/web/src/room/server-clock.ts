import type { Lifetime } from '@lectern/common'
import type { Call } from '../call/call.ts'

/**
 * The time of the server: the clocks of many machines are wrong by seconds or minutes. Until the join it is this
 * machine's time.
 */
export class ServerClock {
  readonly #clock: () => number
  #aheadMs: number | null = null

  constructor(call: Pick<Call, 'get' | 'subscribe'>, lifetime: Lifetime, clock = Date.now) {
    this.#clock = clock
    const update = () => {
      const state = call.get()
      // The own join has just been stored with the time of the server.
      if (state.is === 'joined') this.#aheadMs ??= state.me.joined_at_ms - clock()
    }
    lifetime.defer(call.subscribe(update))
    update()
  }

  /** In milliseconds since 1970. */
  readonly now = (): number => this.#clock() + (this.#aheadMs ?? 0)
}

import type { Logger } from 'pino'

/** Things opened together and closed together, last opened first. */
export class Lifetime {
  readonly #closers: { name: string; close: () => unknown }[] = []
  readonly #log: Logger
  #closing?: Promise<void>

  constructor(log: Logger) {
    this.#log = log
  }

  own<T>(name: string, thing: T, close: (thing: T) => unknown): T {
    this.#closers.push({ name, close: () => close(thing) })
    return thing
  }

  /** Safe to call twice: both callers wait for the same closing. */
  close = (): Promise<void> => (this.#closing ??= this.#closeAll())

  async #closeAll() {
    for (const { name, close } of this.#closers.reverse()) {
      // One stuck resource must not keep the rest open.
      try {
        await close()
      } catch (error) {
        this.#log.error({ err: error, resource: name }, 'close failed')
      }
    }
  }
}

import type { Environment } from './environment.ts'

/** A timer of one callback; starting it again cancels the earlier run. */
export class Timer {
  #env: Environment
  #cancel = () => {}

  constructor(env: Environment) {
    this.#env = env
  }

  start(ms: number, run: () => void): void {
    this.stop()
    this.#cancel = this.#env.after(ms, run)
  }

  stop(): void {
    this.#cancel()
    this.#cancel = () => {}
  }
}

import type { Environment } from './environment.ts'

/** One thing that is to happen later; starting it again forgets the earlier time. */
export class Timer {
  #env: Environment
  #callOff = () => {}

  constructor(env: Environment) {
    this.#env = env
  }

  start(ms: number, run: () => void): void {
    this.stop()
    this.#callOff = this.#env.after(ms, run)
  }

  stop(): void {
    this.#callOff()
    this.#callOff = () => {}
  }
}

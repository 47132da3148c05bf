import type { Clock } from '../clock.ts'
import { CHECK_LOGIN_EVERY_MS } from './limits.ts'
import type { Door, Login } from './ports.ts'

/**
 * Whether the login of a socket still holds, and what it gives now (rule W15). Cheap as long as nobody has lost
 * anything; then it is asked anew.
 */
export class Access {
  readonly login: Login
  readonly #door: Door
  readonly #clock: Clock
  #version: number
  #checkedAtMs: number
  #checking: Promise<void> | null = null

  constructor(door: Door, clock: Clock, login: Login, version: number) {
    this.#door = door
    this.#clock = clock
    this.login = login
    this.#version = version
    this.#checkedAtMs = clock()
  }

  /** Null: it holds. Otherwise that is being found out, and refused with what a login would be refused with. */
  check(): Promise<void> | null {
    if (this.#checking) return this.#checking
    const version = this.#door.accessVersion()
    const now = this.#clock()
    if (version === this.#version && now - this.#checkedAtMs <= CHECK_LOGIN_EVERY_MS) return null
    this.#checking = this.#renew(version, now).finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  async #renew(version: number, now: number): Promise<void> {
    Object.assign(this.login, await this.#door.renew(this.login))
    this.#version = version
    this.#checkedAtMs = now
  }
}

import { LOGIN_CHECK_INTERVAL_MS } from '../limits/constants.ts'
import type { Authenticator, Login } from '../ports.ts'

/**
 * Whether the login of a socket is still valid, and what it gives now (rule W15). An integer comparison as long as no
 * access was revoked anywhere; then the login is checked again.
 */
export class LoginCheck {
  readonly login: Login
  readonly #authenticator: Authenticator
  readonly #monotonicMs: () => number
  #version: number
  #checkedAtMs: number
  #checking: Promise<void> | null = null

  constructor(authenticator: Authenticator, monotonicMs: () => number, login: Login, version: number) {
    this.#authenticator = authenticator
    this.#monotonicMs = monotonicMs
    this.login = login
    this.#version = version
    this.#checkedAtMs = monotonicMs()
  }

  /** Null: it holds. Otherwise that is being found out, and refused with what a login would be refused with. */
  check(version = this.#authenticator.accessVersion()): Promise<void> | null {
    if (this.#checking) return this.#checking
    if (typeof version === 'number' && this.#isValidAt(version)) return null
    this.#checking = this.#runCheck(version).finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  #isValidAt(version: number): boolean {
    return version === this.#version && this.#monotonicMs() - this.#checkedAtMs <= LOGIN_CHECK_INTERVAL_MS
  }

  async #runCheck(reading: number | Promise<number>): Promise<void> {
    const version = typeof reading === 'number' ? reading : await reading
    if (this.#isValidAt(version)) return
    const now = this.#monotonicMs()
    Object.assign(this.login, await this.#authenticator.renew(this.login))
    this.#version = version
    this.#checkedAtMs = now
  }
}

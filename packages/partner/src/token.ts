import { LecternError } from './errors.ts'
import type { TokenResponse } from './types.ts'

/** A token is renewed this long before it expires, or after 90 % of its lifetime if that is later. */
const RENEW_BEFORE_MS = 60_000

type IssuedToken = Pick<TokenResponse, 'access_token' | 'expires_in'>

/** Caches the service token for all calls until it expires (rule TOKEN-1). */
export class TokenCache {
  readonly #request: () => Promise<IssuedToken>
  #current: { token: string; renewAt: number } | null = null
  #pending: Promise<string> | null = null

  constructor(request: () => Promise<IssuedToken>) {
    this.#request = request
  }

  /** Concurrent callers share one token request; an aborted caller does not abort it. */
  get(signal?: AbortSignal): Promise<string> {
    if (this.#current && Date.now() < this.#current.renewAt) return Promise.resolve(this.#current.token)
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = null
    })
    return signal ? orAborted(this.#pending, signal) : this.#pending
  }

  /** Discards only the given token: another caller may have renewed it meanwhile. */
  discard(token: string): void {
    if (this.#current?.token === token) this.#current = null
  }

  discardAny(): void {
    this.#current = null
  }

  async #renew(): Promise<string> {
    const requestedAt = Date.now()
    const { access_token: token, expires_in: seconds } = await this.#request()
    // An invalid header value would appear in the error of fetch.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token) || !(seconds > 0)) {
      throw new LecternError('bad_answer', 'The server issued an invalid token.', { status: 200 })
    }
    const lifeMs = seconds * 1000
    this.#current = { token, renewAt: requestedAt + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs / 10) }
    return token
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

import type { TokenResponse } from '@lectern/protocol'
import { LecternError } from './errors.ts'

/** A token is renewed this long before it expires, or a tenth of its life where that is shorter. */
const RENEW_BEFORE_MS = 60_000

type Answer = Pick<TokenResponse, 'access_token' | 'expires_in'>

/** One service token for everybody, for as long as it lives (rule TOKEN-1). */
export class TokenCache {
  readonly #request: () => Promise<Answer>
  #current: { token: string; renewAt: number } | null = null
  #pending: Promise<string> | null = null

  constructor(request: () => Promise<Answer>) {
    this.#request = request
  }

  /** Callers that come while a token is being requested share that request; one that leaves does not end it. */
  get(signal?: AbortSignal): Promise<string> {
    if (this.#current && Date.now() < this.#current.renewAt) return Promise.resolve(this.#current.token)
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = null
    })
    return signal ? orAborted(this.#pending, signal) : this.#pending
  }

  /** Only the token that failed: another caller may have renewed it meanwhile. */
  forget(token: string): void {
    if (this.#current?.token === token) this.#current = null
  }

  forgetAny(): void {
    this.#current = null
  }

  async #renew(): Promise<string> {
    const requestedAt = Date.now()
    const { access_token: token, expires_in: seconds } = await this.#request()
    // Checked because fetch would quote an unusable header value in its error.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token) || !(seconds > 0)) {
      throw new LecternError('bad_answer', 'The server answered without a usable token.', { status: 200 })
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

import type { Address } from './address.ts'
import { LecternError } from './errors.ts'
import { type Exchange, exchangeJson, exchangeStream, exchangeText, type Fetch } from './exchange.ts'
import { retry } from './retry.ts'
import { TokenCache } from './token.ts'
import type { TokenResponse } from './types.ts'

interface SessionOptions {
  address: Address
  serviceAccount: string
  clientSecret: string
  fetch: Fetch
  retryDelaysMs: readonly number[]
  timeoutMs: number
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, including waits between attempts; the call throws the signal's reason. */
  signal?: AbortSignal
  /** The timeout of each attempt in milliseconds. */
  timeoutMs?: number
}

export interface SlidesOptions extends CallOptions {
  /** The name of the document, for people. */
  name?: string
}

interface Request extends CallOptions {
  url: URL
  method?: string
  body?: unknown
  content?: Exchange['content']
  headers?: Record<string, string>
}

/** Sends requests as a service account: signs in, retries, and renews a rejected token. */
export class Session {
  readonly #options: SessionOptions
  readonly #tokens: TokenCache

  constructor(options: SessionOptions) {
    this.#options = options
    const { address, serviceAccount: service_account, clientSecret: client_secret } = options
    const url = address.of('/api/v1/integration/auth/token')
    this.#tokens = new TokenCache(() =>
      exchangeJson<TokenResponse>(
        this.#exchange({ url, method: 'POST', body: { service_account, client_secret } }),
      ),
    )
  }

  /** `check` validates a response with a success status, and throws if it reports a failure. */
  json<T>(request: Request, check?: (content: T) => void): Promise<T> {
    return this.#perform(request, async exchange => {
      const content = await exchangeJson<T>(exchange)
      check?.(content)
      return content
    })
  }

  text(request: Request): Promise<string> {
    return this.#perform(request, exchangeText)
  }

  stream(request: Request): Promise<Response> {
    return this.#perform(request, exchangeStream)
  }

  forgetToken(): void {
    this.#tokens.discardAny()
  }

  #exchange({ signal, timeoutMs = this.#options.timeoutMs, ...request }: Request): Exchange {
    return { ...request, fetch: this.#options.fetch, timeoutMs, signal }
  }

  async #perform<T>(request: Request, exchange: (exchange: Exchange) => Promise<T>): Promise<T> {
    const { signal } = request
    let mayRenew = true

    const attempt = async (): Promise<T> => {
      signal?.throwIfAborted()
      if (!this.#options.address.isSameOrigin(request.url)) return exchange(this.#exchange(request))
      const token = await this.#tokens.get(signal)
      const headers = { ...request.headers, authorization: `Bearer ${token}` }
      try {
        return await exchange(this.#exchange({ ...request, headers }))
      } catch (error) {
        if (!mayRenew || !(error instanceof LecternError && error.status === 401)) throw error
        mayRenew = false
        this.#tokens.discard(token)
        return attempt()
      }
    }

    return retry(this.#options.retryDelaysMs, signal, attempt)
  }
}

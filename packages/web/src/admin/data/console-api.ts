import type { ApiRequest, ApiResponse } from '../../api/api.ts'

/** The answer to a request; `code` as in docs/errors.md. */
export type Answer<Body> =
  | { is: 'ok'; body: Body }
  | { is: 'refused'; code: string | null }
  | { is: 'unreachable' }

/** Why an answer is not ok: a code, or null if the server cannot be reached. Null for an answer that is ok. */
export const failureOf = (answer: Answer<unknown>): { code: string | null } | null =>
  answer.is === 'ok' ? null : { code: answer.is === 'refused' ? (answer.code ?? 'internal') : null }

/** An API whose things these pages show. It answers in the server's own version. */
interface Served {
  base: string
  headers?: Readonly<Record<string, string>>
  /** The parameter of lists that takes `next`. */
  cursor: 'before' | 'after'
}

/** docs/http-api.md#administration */
const administration: Served = { base: '/api/v1.0/admin', cursor: 'before' }

/** Version 2 of the partner API, for an owner of the service account (docs/partner-api-v2.md#owners). */
export const ownedBy = (serviceAccount: string): Served => ({
  base: '/api/v2/integration',
  headers: { 'lectern-service-account': encodeURIComponent(serviceAccount) },
  cursor: 'after',
})

export type QueryValues = Readonly<Record<string, string | undefined>>

/** The API of a console, with the sign-in of the user. */
export class ConsoleApi {
  readonly #request: (request: Omit<ApiRequest, 'token'>) => Promise<ApiResponse>
  readonly #served: Served

  constructor(
    { request }: { request: (request: Omit<ApiRequest, 'token'>) => Promise<ApiResponse> },
    served = administration,
  ) {
    this.#request = request
    this.#served = served
  }

  get cursor(): Served['cursor'] {
    return this.#served.cursor
  }

  /** Empty values of the query are left out. */
  get<Body>(path: string, query: QueryValues = {}): Promise<Answer<Body>> {
    const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
    const search = new URLSearchParams(given).toString()
    return this.#send('GET', search ? `${path}?${search}` : path)
  }

  post<Body>(path: string, body?: Record<string, unknown>): Promise<Answer<Body>> {
    return this.#send('POST', path, body)
  }

  patch<Body>(path: string, body: Record<string, unknown>): Promise<Answer<Body>> {
    return this.#send('PATCH', path, body)
  }

  put<Body>(path: string): Promise<Answer<Body>> {
    return this.#send('PUT', path)
  }

  delete<Body>(path: string): Promise<Answer<Body>> {
    return this.#send('DELETE', path)
  }

  async #send<Body>(
    method: ApiRequest['method'],
    path: string,
    body?: Record<string, unknown>,
  ): Promise<Answer<Body>> {
    const { base, headers } = this.#served
    const request = { method, path: base + path, ...(body && { body }), ...(headers && { headers }) }
    const answer = await this.#request(request)
    if (answer.is === 'ok') return { is: 'ok', body: answer.body as Body }
    return answer.is === 'refused' ? { is: 'refused', code: answer.code } : answer
  }
}

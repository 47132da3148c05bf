import type { ApiRequest, ApiResponse } from '../../api/api.ts'

/** The answer to a request; `code` as in docs/errors.md. */
export type Answer<Body> =
  | { is: 'ok'; body: Body }
  | { is: 'refused'; code: string | null }
  | { is: 'unreachable' }

const BASE = '/api/v1.0/admin'

export type QueryValues = Readonly<Record<string, string | undefined>>

/** The administration API (docs/http-api.md#administration). Its answers are those of the same version of the server. */
export class AdminApi {
  readonly #request: (request: Omit<ApiRequest, 'token'>) => Promise<ApiResponse>

  constructor({ request }: { request: (request: Omit<ApiRequest, 'token'>) => Promise<ApiResponse> }) {
    this.#request = request
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

  delete<Body>(path: string): Promise<Answer<Body>> {
    return this.#send('DELETE', path)
  }

  async #send<Body>(
    method: ApiRequest['method'],
    path: string,
    body?: Record<string, unknown>,
  ): Promise<Answer<Body>> {
    const answer = await this.#request({ method, path: BASE + path, ...(body && { body }) })
    if (answer.is === 'ok') return { is: 'ok', body: answer.body as Body }
    return answer.is === 'refused' ? { is: 'refused', code: answer.code } : answer
  }
}

import { Api, type ApiRequest, type ApiResponse } from '../api/api.ts'

type Answer = ApiResponse | Promise<ApiResponse>

export const ok = (body: unknown): ApiResponse => ({ is: 'ok', body })
export const refused = (status: number, code: string | null = null): ApiResponse => ({
  is: 'refused',
  status,
  code,
  retryAfterMs: null,
})

/** A server of the HTTP API: it answers with `routes`, by "GET /path" without the query, else with 404. */
export class FakeApi extends Api {
  readonly requests: ApiRequest[] = []
  routes: Record<string, (request: ApiRequest) => Answer>

  constructor(routes: FakeApi['routes'] = {}) {
    super()
    this.routes = routes
  }

  override async request(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request)
    const [path] = request.path.split('?')
    return this.routes[`${request.method} ${path}`]?.(request) ?? refused(404, 'not_found')
  }
}

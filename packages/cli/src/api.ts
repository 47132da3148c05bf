import type { RoomRequest, RoomResponse, TokenResponse, TranscriptionRequest } from '@lectern/protocol'
import { type Config, localUrl } from '@lectern/server/operator'
import { CliError } from './errors.ts'

const WITHIN_MS = 15_000
const ROOMS = '/api/v1/integration'

/** The server said no, in its own words. */
export class ApiError extends CliError {
  override name = 'ApiError'
  readonly status: number

  constructor(status: number, says: string) {
    super(says)
    this.status = status
  }
}

/** The token of a service account, as the account's own backend gets it. */
export async function requestToken(url: string, name: string, secret: string): Promise<string> {
  const body = { service_account: name, client_secret: secret }
  const answer = await call<TokenResponse>(url, `${ROOMS}/auth/token`, { method: 'POST', body })
  return answer.access_token
}

/** Makes the room, or gives the one that is there, unchanged. */
export function putRoom(
  url: string,
  token: string,
  externalId: string,
  body: RoomRequest,
): Promise<RoomResponse> {
  return call(url, `${ROOMS}/rooms/${encodeURIComponent(externalId)}`, { method: 'PUT', token, body })
}

/** In any conference that somebody is in. */
export function transcribe(url: string, token: string, tag: string, body: TranscriptionRequest) {
  const path = `/api/v1.0/admin/conferences/${encodeURIComponent(tag)}/transcription`
  return call<{ result: number }>(url, path, { method: 'POST', token, body })
}

/** Where the running service is: as the operator says, else as it is configured. */
export function addressOf(config: Config, given?: string): string {
  if (given !== undefined) return given.replace(/\/+$/, '')
  if (config.Integration.PublicUrl) return config.Integration.PublicUrl
  if (config.Server.Port === 0)
    throw new CliError('[Server] Port is 0, any free one: name the address with --url.')
  return localUrl(config)
}

async function call<T>(
  url: string,
  path: string,
  { method, token, body }: { method: string; token?: string; body: object },
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch(error => {
    throw new CliError(`No answer from ${url} (${reasonOf(error)}): does the service run there?`)
  })
  const answer = (await response.json().catch(() => null)) as (T & { message?: string }) | null
  if (!response.ok || answer === null)
    throw new ApiError(response.status, answer?.message ?? `${url} answered with status ${response.status}.`)
  return answer
}

/** What stands behind fetch's "fetch failed". */
function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined
  return cause?.code ?? cause?.message ?? error.message
}

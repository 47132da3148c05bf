import type { RoomRequest, RoomResponse, TokenResponse, TranscriptionRequest } from '@lectern/protocol'
import { type Config, localUrl } from '@lectern/server/operator'
import { CliError } from './errors.ts'

const TIMEOUT_MS = 15_000
const ROOMS = '/api/v1/integration'

/** An error response of the API, with the message of the server. */
export class ApiError extends CliError {
  override name = 'ApiError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Requests a token of a service account, as a partner's backend does. */
export async function requestToken(url: string, name: string, secret: string): Promise<string> {
  const body = { service_account: name, client_secret: secret }
  const response = await call<TokenResponse>(url, `${ROOMS}/auth/token`, { method: 'POST', body })
  return response.access_token
}

/** Creates the room, or returns the existing one unchanged. */
export function putRoom(
  url: string,
  token: string,
  externalId: string,
  body: RoomRequest,
): Promise<RoomResponse> {
  return call(url, `${ROOMS}/rooms/${encodeURIComponent(externalId)}`, { method: 'PUT', token, body })
}

/** Starts or stops transcription in any conference that has participants. */
export function transcribe(url: string, token: string, tag: string, body: TranscriptionRequest) {
  const path = `/api/v1.0/admin/conferences/${encodeURIComponent(tag)}/transcription`
  return call<{ result: number }>(url, path, { method: 'POST', token, body })
}

/** The address of the running service: the given one, otherwise the configured one. */
export function addressOf(config: Config, given?: string): string {
  if (given !== undefined) return given.replace(/\/+$/, '')
  if (config.Integration.PublicUrl) return config.Integration.PublicUrl
  if (config.Server.Port === 0)
    throw new CliError('[Server] Port is 0; specify the address of the service with --url.')
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
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(error => {
    throw new CliError(`Cannot connect to ${url} (${reasonOf(error)}). Is the service running?`)
  })
  const content = (await response.json().catch(() => null)) as (T & { message?: string }) | null
  if (!response.ok || content === null)
    throw new ApiError(
      response.status,
      content?.message ?? `${url} responded with status ${response.status}.`,
    )
  return content
}

/** The cause of fetch's generic "fetch failed". */
function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined
  return cause?.code ?? cause?.message ?? error.message
}

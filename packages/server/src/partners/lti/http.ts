import { Refusal } from '@lectern/protocol'

const TIMEOUT_MS = 10_000
/** Far above what platforms send; the members of a large course are paged. */
const MAX_BYTES = 1024 * 1024

export interface PlatformResponse {
  status: number
  headers: Headers
  text: string
}

/** Requests to platforms. Redirects are not followed, because they would get the token. */
export type FetchPlatform = (url: string, request?: RequestInit) => Promise<PlatformResponse>

/** `allowInsecure` permits http. Throws where the platform cannot be reached. */
export const createFetch =
  ({ allowInsecure }: { allowInsecure: boolean }): FetchPlatform =>
  async (url, request = {}) => {
    assertAddress(url, allowInsecure)
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
    const response = await fetch(url, { ...request, redirect: 'manual', signal })
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new Error('the answer of the platform is too large')
      chunks.push(chunk)
    }
    return { status: response.status, headers: response.headers, text: Buffer.concat(chunks).toString() }
  }

/** Throws unless the address is https, or http where that is permitted. */
export function assertAddress(url: string, allowInsecure: boolean): void {
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' }
  if (protocol === 'https:' || (allowInsecure && protocol === 'http:')) return
  throw new Refusal('invalid_argument', 'Addresses of the platform must begin with https.')
}

/** Throws unless the answer is a success with JSON. */
export function jsonOf({ status, text }: PlatformResponse): unknown {
  if (status < 200 || status > 299) throw new Error(`the platform answered ${status}`)
  return JSON.parse(text)
}

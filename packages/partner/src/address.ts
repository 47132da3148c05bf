import { invalidArgument } from './errors.ts'

/** Builds all URLs of the server, and decides which of them may receive the token. */
export class Address {
  /** Ends with a slash, so that URLs resolve below a base URL with a path. */
  readonly #base: URL

  constructor(baseUrl: string) {
    const base = URL.canParse(baseUrl) ? new URL(baseUrl) : null
    if (!base || !/^https?:$/.test(base.protocol)) throw invalidArgument('baseUrl is not an http(s) URL.')
    if (base.username || base.password || base.search || base.hash) {
      throw invalidArgument('baseUrl must not contain credentials, a query or a fragment.')
    }
    if (!base.pathname.endsWith('/')) base.pathname += '/'
    this.#base = base
  }

  /** The URL of `/api/…` below the base URL. */
  of(path: string): URL {
    return new URL(`.${path}`, this.#base)
  }

  room(externalId: string): URL {
    // Counts code points, as the server does.
    const length = typeof externalId === 'string' ? [...externalId].length : 0
    if (length < 1 || length > 255)
      throw invalidArgument('external_id must be a string of 1 to 255 characters.')
    return this.of(`/api/v1/integration/rooms/${segment(externalId, 'external_id')}`)
  }

  /** The path of the webhook, or of a resource below it. */
  webhook(...parts: string[]): URL {
    const below = parts.map(part => `/${segment(part, 'delivery id')}`).join('')
    return this.of(`/api/v1/integration/webhook${below}`)
  }

  /** A resource of version 2. */
  v2(parts: readonly string[]): URL {
    if (parts.includes('')) throw invalidArgument('An id is empty.')
    return this.of(`/api/v2/integration/${parts.map(part => segment(part, 'id')).join('/')}`)
  }

  /** A blob by its id, or by an absolute or relative URL of a record (docs/partner-api.md#files). */
  blob(urlOrId: string): URL {
    if (urlOrId === '') throw invalidArgument('The blob id or URL is empty: there is no such file.')
    if (!urlOrId.includes('/')) return this.of(`/api/storage/blobs/${segment(urlOrId, 'blob id')}`)
    if (/^\/(?!\/)/.test(urlOrId)) return this.of(urlOrId)
    const url = URL.canParse(urlOrId, this.#base.href) ? new URL(urlOrId, this.#base) : null
    if (!url || !/^https?:$/.test(url.protocol)) throw invalidArgument('The blob URL is not an http(s) URL.')
    return url
  }

  /** Whether the URL may receive the token. Another scheme or port is another origin. */
  isSameOrigin(url: URL): boolean {
    return url.origin === this.#base.origin
  }
}

/** A percent-encoded path segment. Rejects `.` and `..`, which URL parsers rewrite. */
function segment(value: string, name: string): string {
  if (value === '.' || value === '..') throw invalidArgument(`"${value}" cannot be used as ${name}.`)
  if (!value.isWellFormed() || value.includes('\0')) {
    throw invalidArgument(`The ${name} contains characters that are not well-formed Unicode text.`)
  }
  return encodeURIComponent(value)
}

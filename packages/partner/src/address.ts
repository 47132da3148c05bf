import { invalidArgument } from './errors.ts'

/** Where the server is: every address is made here, so that what may get the token is decided here too. */
export class Address {
  /** Ends in a slash, so that addresses resolve below a base address that has a path. */
  readonly #base: URL

  constructor(baseUrl: string) {
    const base = URL.canParse(baseUrl) ? new URL(baseUrl) : null
    if (!base || !/^https?:$/.test(base.protocol)) throw invalidArgument('baseUrl is not an http(s) address.')
    if (base.username || base.password || base.search || base.hash) {
      throw invalidArgument('baseUrl may hold a host and a path, nothing else.')
    }
    if (!base.pathname.endsWith('/')) base.pathname += '/'
    this.#base = base
  }

  /** `/api/…` below the base address. */
  of(path: string): URL {
    return new URL(`.${path}`, this.#base)
  }

  room(externalId: string): URL {
    // Characters are code points, as on the server.
    const length = typeof externalId === 'string' ? [...externalId].length : 0
    if (length < 1 || length > 255)
      throw invalidArgument('An external_id is a string of 1 to 255 characters.')
    return this.of(`/api/v1/integration/rooms/${segment(externalId, 'external_id')}`)
  }

  /** A blob by its id, or by the absolute or relative URL that a record gives (docs/partner-api.md#files). */
  blob(urlOrId: string): URL {
    if (urlOrId === '') throw invalidArgument('An empty blob id or URL means that there is no such file.')
    if (!urlOrId.includes('/')) return this.of(`/api/storage/blobs/${segment(urlOrId, 'blob id')}`)
    if (/^\/(?!\/)/.test(urlOrId)) return this.of(urlOrId)
    const url = URL.canParse(urlOrId, this.#base.href) ? new URL(urlOrId, this.#base) : null
    if (!url || !/^https?:$/.test(url.protocol))
      throw invalidArgument('The blob URL is not an http(s) address.')
    return url
  }

  /** Whether the token may be shown there. Another scheme or port is another origin. */
  isOurs(url: URL): boolean {
    return url.origin === this.#base.origin
  }
}

/** One percent-encoded part of a path. `.` and `..` cannot be one: every URL parser rewrites them. */
function segment(value: string, what: string): string {
  if (value === '.' || value === '..') throw invalidArgument(`"${value}" cannot be used as ${what}.`)
  if (!value.isWellFormed() || value.includes('\0')) {
    throw invalidArgument(`The ${what} holds characters that are not well-formed Unicode text.`)
  }
  return encodeURIComponent(value)
}

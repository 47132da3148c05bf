/** Far above what providers send; key sets and discovery documents have a few KiB. */
const MAX_BYTES = 512 * 1024

/** Members of token answers that nobody here reads. */
const UNUSED: ReadonlySet<string> = new Set(['refresh_token', 'scope', 'expires_in'])

/**
 * Fetches with a limit of size, so that no answer of a provider fills the memory. Redirects are not followed. Members of a
 * JSON object that are null, empty or not used are left out: some providers write optional ones that way, or with another
 * type (a `scope` that is a list), and the library refuses them. So it does with JSON of another type, as static files have it.
 */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  const isEmpty = response.body === null || [204, 205, 304].includes(status)
  const body = Buffer.concat(chunks)
  const object = isEmpty ? null : objectIn(body)
  if (!object) return new Response(isEmpty ? null : body, { status, statusText, headers }) // the library says what is wrong
  const isNeeded = ([name, value]: [string, unknown]) => value !== null && value !== '' && !UNUSED.has(name)
  headers.set('content-type', 'application/json')
  const needed = Object.fromEntries(Object.entries(object).filter(isNeeded))
  return new Response(JSON.stringify(needed), { status, statusText, headers })
}

/** The JSON object, also behind a byte order mark; null if it is none. */
function objectIn(body: Buffer): object | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof parsed === 'object' && !Array.isArray(parsed) ? parsed : null
  } catch {
    return null
  }
}

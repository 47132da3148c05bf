/** Far above what providers send; key sets and discovery documents have a few KiB. */
const MAX_BYTES = 512 * 1024

/** Members of token answers that nobody here reads. */
const UNUSED: ReadonlySet<string> = new Set(['refresh_token', 'scope', 'expires_in'])

/**
 * Fetches with a limit of size, so that no answer of a provider fills the memory. Redirects are not followed. Members of a
 * JSON object that are null, empty or not used are left out: some providers write optional ones that way, or with another
 * type (a `scope` that is a list), and the library refuses them.
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
  const isEmpty = response.body === null || [204, 205, 304].includes(response.status)
  const { status, statusText, headers } = response
  return new Response(isEmpty ? null : withoutNeedlessMembers(Buffer.concat(chunks)), {
    status,
    statusText,
    headers,
  })
}

function withoutNeedlessMembers(body: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | string {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return body
    const isNeeded = ([name, value]: [string, unknown]) => value !== null && value !== '' && !UNUSED.has(name)
    return JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(isNeeded)))
  } catch {
    return body // the library says what is wrong with it
  }
}

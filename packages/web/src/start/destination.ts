import { readAddress } from '../address.ts'

/** The destination of what the user has typed or pasted: a path of these pages, or why there is none. */
export type Destination = { is: 'here'; path: string } | { is: 'elsewhere' | 'nothing' }

const TAG = /^[\p{L}\p{N}._-]{1,64}$/u

/** Accepts a URL, maybe within a text, a URL without its scheme, a path, and a bare tag. */
export function readDestination(typed: string, origin: string): Destination {
  const text = /https?:\/\/\S+/i.exec(typed)?.[0] ?? typed.trim()
  const url = readUrl(TAG.test(text) ? `/conferences/${encodeURIComponent(text)}` : text, origin)
  if (!url) return { is: 'nothing' }
  const address = readAddress(url.pathname)
  if (address.is !== 'link' && address.is !== 'conference') return { is: 'nothing' }
  // The same server may be reached by http and https.
  const path =
    address.is === 'link' ? `/j/${address.token}` : `/conferences/${encodeURIComponent(address.tag)}`
  return url.host === new URL(origin).host ? { is: 'here', path } : { is: 'elsewhere' }
}

function readUrl(text: string, origin: string): URL | null {
  const { protocol } = new URL(origin)
  const hasScheme = /^https?:\/\//i.test(text)
  try {
    return new URL(hasScheme ? text : text.startsWith('/') ? origin + text : `${protocol}//${text}`)
  } catch {
    return null
  }
}

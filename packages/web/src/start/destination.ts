import { readAddress } from '../address.ts'

/** Where what somebody has typed or pasted leads to: a path of these pages, or why nowhere. */
export type Destination = { is: 'here'; path: string } | { is: 'elsewhere' | 'nothing' }

const TAG = /^[\p{L}\p{N}._-]{1,64}$/u

/** Takes a whole link, a link without its beginning, and a conference's tag alone. */
export function readDestination(typed: string, origin: string): Destination {
  const text = typed.trim()
  if (TAG.test(text) && !/^\.+$/.test(text))
    return { is: 'here', path: `/conferences/${encodeURIComponent(text)}` }
  const url = readUrl(text, origin)
  if (!url) return { is: 'nothing' }
  const address = readAddress(url.pathname)
  if (address.is !== 'link' && address.is !== 'conference') return { is: 'nothing' }
  // The same server may be reached by http and by https.
  return url.host === new URL(origin).host ? { is: 'here', path: url.pathname } : { is: 'elsewhere' }
}

function readUrl(text: string, origin: string): URL | null {
  const { protocol } = new URL(origin)
  const isWhole = /^https?:\/\//i.test(text)
  try {
    return new URL(isWhole ? text : text.startsWith('/') ? origin + text : `${protocol}//${text}`)
  } catch {
    return null
  }
}

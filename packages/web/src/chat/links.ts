export type Piece = { is: 'text'; text: string } | { is: 'link'; text: string; href: string }

/**
 * Up to white space, quotes, punctuation of Chinese and Japanese, after which no space follows, and bidirectional control
 * characters, which could disguise an address.
 */
const ADDRESS =
  /(?:https?:\/\/|(?<![\p{L}\p{N}_.@:/-])www\.)[^\s<>"'`«»“”„\u3001-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu

/** Characters that more often follow an address than end it, those of Arabic and Urdu included. */
const AFTER = new Set('.,;:!?…)]}*_،؛؟۔')
const OPENING_OF: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** Splits the text into links and the text between them, without changing a character. */
export function splitLinks(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.slice(0, addressLength(found))
    const href = readAddress(address)
    if (href === null) continue
    if (index > end) pieces.push({ is: 'text', text: text.slice(end, index) })
    pieces.push({ is: 'link', text: address, href })
    end = index + address.length
  }
  if (end < text.length) pieces.push({ is: 'text', text: text.slice(end) })
  return pieces
}

/**
 * How many of the characters that were found belong to the address: punctuation at its end does not, nor does a
 * bracket that was not opened in it. Reads each character at most twice, because strangers write these texts.
 */
export function addressLength(found: ArrayLike<string>): number {
  const counts = new Map<string, number>()
  for (let index = 0; index < found.length; index++) {
    const sign = found[index] as string
    counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  let end = found.length
  for (; end > 0; end--) {
    const last = found[end - 1] as string
    if (!AFTER.has(last)) break
    const opening = OPENING_OF[last]
    const closed = counts.get(last) ?? 0
    if (opening !== undefined && (counts.get(opening) ?? 0) >= closed) break
    counts.set(last, closed - 1)
  }
  return end
}

/** `www.` needs a name and a domain after it; the link uses https. */
const WITHOUT_SCHEME = /^www\.[^./?#:]+\.[^./?#:]/i

function readAddress(address: string): string | null {
  const hasScheme = /^https?:/i.test(address)
  if (!hasScheme && !WITHOUT_SCHEME.test(address)) return null
  try {
    return new URL(hasScheme ? address : `https://${address}`).href
  } catch {
    return null
  }
}

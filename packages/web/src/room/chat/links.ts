export type Piece = { is: 'text'; text: string } | { is: 'link'; text: string; href: string }

/** Up to white space, quotes, and the marks that turn the direction of writing, which could disguise an address. */
const ADDRESS = /https?:\/\/[^\s<>"'`«»“”„\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gi

/** What stands after an address more often than in it. */
const AFTER = /[.,;:!?…)\]}*_]$/u
const openingOf: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** The text in pieces, none of them changed: what can be followed, and what stands between. */
export function splitLinks(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimEnd(found)
    const href = readAddress(address)
    if (href === null) continue
    if (index > end) pieces.push({ is: 'text', text: text.slice(end, index) })
    pieces.push({ is: 'link', text: address, href })
    end = index + address.length
  }
  if (end < text.length) pieces.push({ is: 'text', text: text.slice(end) })
  return pieces
}

function trimEnd(address: string): string {
  const last = address.at(-1) ?? ''
  if (!AFTER.test(address)) return address
  const opening = openingOf[last]
  const isPaired = opening !== undefined && count(address, opening) >= count(address, last)
  return isPaired ? address : trimEnd(address.slice(0, -1))
}

const count = (text: string, sign: string) => text.split(sign).length - 1

function readAddress(address: string): string | null {
  try {
    return new URL(address).href
  } catch {
    return null
  }
}

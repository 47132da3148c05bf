import { Refusal } from './errors.ts'

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58

/**
 * JSON.parse that also refuses duplicate keys, at any depth (rules F4 and API-3). RFC 8259 leaves their
 * meaning open, so two readers of one text could disagree about what it says.
 * Throws `invalid_json`.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Refusal('invalid_json', undefined, { cause })
  }
  // Every member of an object has one colon; a duplicate key leaves fewer members than colons.
  if (countColons(text) !== countMembers(value)) {
    throw new Refusal('invalid_json', 'The body has the same key twice in one object.')
  }
  return value
}

/** Colons outside strings. The text is known to be valid JSON. */
function countColons(text: string): number {
  let colons = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === COLON) colons++
    else if (char === QUOTE) i = endOfString(text, i)
  }
  return colons
}

function endOfString(text: string, start: number): number {
  let i = start + 1
  while (text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}

/** Iterative, because an outsider decides how deep the value is. */
function countMembers(root: unknown): number {
  let members = 0
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    if (!Array.isArray(value)) members += inner.length
    for (const each of inner) if (typeof each === 'object') open.push(each)
  }
  return members
}

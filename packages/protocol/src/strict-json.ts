const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
// With this bit, a bracket is the brace of its side.
const BRACE_BIT = 32
const OPEN = 123
const CLOSE = 125

export interface JsonLimits {
  /** The limit of nesting. */
  depth: number
  /** Elements and members at all levels together; lists and objects among them count twice. */
  values: number
}

export type StrictJson =
  | { ok: true; value: unknown }
  | { ok: false; isDuplicateKey: boolean; cause?: unknown }

/**
 * JSON.parse that also refuses duplicate keys, at any depth. RFC 8259 section 4 leaves their meaning open, so that two
 * readers of one text could disagree about what it says.
 */
export function parseStrictJson(text: string): StrictJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return { ok: false, isDuplicateKey: false, cause }
  }
  // Every member of an object has one colon; a duplicate key leaves fewer members than colons.
  if (countColons(text) !== countMembers(value)) return { ok: false, isDuplicateKey: true }
  return { ok: true, value }
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

/** The position of the quotation mark that ends the string which begins at `start`. */
export function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}

/** Whether a text, which may be no JSON at all, is within the limits if it is. */
export function isWithin(text: string, limits: JsonLimits): boolean {
  let depth = 0
  let values = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === QUOTE) i = endOfString(text, i)
    else if (char === COMMA) values++
    else if ((char | BRACE_BIT) === CLOSE) depth--
    else if ((char | BRACE_BIT) === OPEN) {
      depth++
      values++
    }
    if (depth > limits.depth || values > limits.values) return false
  }
  return true
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

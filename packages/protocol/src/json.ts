import { Refusal } from './errors/index.ts'
import { endOfString, isWithin, type JsonLimits, parseStrictJson } from './strict-json.ts'

/** parseStrictJson within limits that are checked first: parsing would cost far more. Throws `invalid_json`. */
export function parseJson(text: string, limits?: JsonLimits): unknown {
  if (limits && !isWithin(text, limits)) {
    const [depth, values] = [limits.depth, limits.values].map(limit => limit.toLocaleString('en'))
    throw new Refusal('invalid_json', `The body has more than ${depth} levels or ${values} values.`)
  }
  const parsed = parseStrictJson(text)
  if (parsed.ok) return parsed.value
  if (parsed.isDuplicateKey)
    throw new Refusal('invalid_json', `The body has the key ${duplicateKeyIn(text)} twice in one object.`)
  throw new Refusal('invalid_json', undefined, { cause: parsed.cause })
}

const NAME_MAX = 40
const AFTER_KEY = /\s*:/y

/** The first key that an object has twice, quoted. The text is known to be JSON, and to have one. */
function duplicateKeyIn(text: string): string {
  const open: Set<string>[] = []
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{' || char === '[') open.push(new Set())
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const end = endOfString(text, i)
      const known = open.at(-1)
      AFTER_KEY.lastIndex = end + 1
      if (known && AFTER_KEY.test(text)) {
        const key: string = JSON.parse(text.slice(i, end + 1))
        if (known.has(key)) return JSON.stringify(key.slice(0, NAME_MAX))
        known.add(key)
      }
      i = end
    }
  }
  return ''
}

import { Refusal } from './errors/index.ts'
import { parseStrictJson } from './strict-json.ts'

/** As parseStrictJson; throws `invalid_json`. */
export function parseJson(text: string): unknown {
  const parsed = parseStrictJson(text)
  if (parsed.ok) return parsed.value
  if (parsed.isDuplicateKey)
    throw new Refusal('invalid_json', 'The body has the same key twice in one object.')
  throw new Refusal('invalid_json', undefined, { cause: parsed.cause })
}

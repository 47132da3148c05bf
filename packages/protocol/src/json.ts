import { Refusal } from './errors/index.ts'
import { isWithin, type JsonLimits, parseStrictJson } from './strict-json.ts'

/** As parseStrictJson, within limits that are checked first: parsing would cost far more. Throws `invalid_json`. */
export function parseJson(text: string, limits?: JsonLimits): unknown {
  if (limits && !isWithin(text, limits)) {
    const [depth, values] = [limits.depth, limits.values].map(limit => limit.toLocaleString('en'))
    throw new Refusal('invalid_json', `The body has more than ${depth} levels or ${values} values.`)
  }
  const parsed = parseStrictJson(text)
  if (parsed.ok) return parsed.value
  if (parsed.isDuplicateKey)
    throw new Refusal('invalid_json', 'The body has the same key twice in one object.')
  throw new Refusal('invalid_json', undefined, { cause: parsed.cause })
}

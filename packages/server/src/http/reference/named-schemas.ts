import * as protocol from '@lectern/protocol'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Node = { [key: string]: Json }

const isObject = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Bodies, which have names of their own; parameters and scalars stay where they are used. */
const isNamed = (value: unknown): value is Node =>
  isObject(value) && (value.type === 'object' || Array.isArray(value.anyOf)) && !('$id' in value)

/** The same text for the same schema, whatever the order of its keys. */
function keyOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = Object.keys(value)
    .filter(key => value[key] !== undefined)
    .sort()
    .map(key => `${JSON.stringify(key)}:${keyOf(value[key] as Json)}`)
  return `{${entries.join()}}`
}

/** The names of the protocol's schemas by their content. The first name wins. */
function namesByContent(): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, value] of Object.entries(protocol)) {
    if (!isNamed(value)) continue
    const key = keyOf(JSON.parse(JSON.stringify(value)) as Json)
    if (!names.has(key) && !/(Params|Query)$/.test(name)) names.set(key, name)
  }
  return names
}

/**
 * Replaces every schema of the protocol in a part of the document by a reference, and adds it to `components`. The generator
 * of the document copies schemas, so they are recognised by their content.
 */
export function nameSchemas(part: Json, components: Record<string, Json>): Json {
  const names = namesByContent()
  const visit = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(visit)
    if (!isObject(node)) return node
    const name = isNamed(node) ? names.get(keyOf(node)) : undefined
    if (name === undefined) return visitChildren(node)
    if (!(name in components)) {
      components[name] = true // reserves the name while its parts are visited
      components[name] = visitChildren(node)
    }
    return { $ref: `#/components/schemas/${name}` }
  }
  const visitChildren = (node: Node): Node =>
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]))
  return visit(part)
}

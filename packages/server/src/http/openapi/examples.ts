import { EXAMPLE_VALUES } from './example-values.ts'

/** The parts of JSON Schema that the schemas of the API use. */
export interface JsonSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  maxProperties?: number
  description?: string
}

/** Optional fields that examples omit: another name of a field, or what only a failure has. */
const OMITTED = new Set(['name', 'error', 'purpose', 'request_id'])

/** An example of the schema from the usual values; a field without a value is a mistake. */
export function exampleOf(schema: JsonSchema, name = '', parent = ''): unknown {
  if (schema.const !== undefined) return schema.const
  const usual = [...(EXAMPLE_VALUES[`${parent}.${name}`] ?? []), ...(EXAMPLE_VALUES[name] ?? [])]
  const value = usual.find(each => fits(schema, each))
  if (value !== undefined) return value
  if (schema.properties) return objectOf(schema, name || parent)
  if (schema.enum) return schema.enum[0]
  if (schema.items) return [exampleOf(schema.items, name, parent)]
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], name, parent)
  throw new Error(`openapi/example-values.ts has no value of the field ${name}: ${JSON.stringify(schema)}`)
}

function objectOf({ properties = {}, required = [], maxProperties }: JsonSchema, parent: string): object {
  const shown = Object.entries(properties)
    .filter(([name]) => required.includes(name) || !OMITTED.has(name))
    .slice(0, maxProperties)
  return Object.fromEntries(shown.map(([name, each]) => [name, exampleOf(each, name, parent)]))
}

function fits(schema: JsonSchema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some(each => fits(each, value))
  if (schema.enum) return schema.enum.includes(value)
  const types = [schema.type].flat()
  const type = typeOf(value)
  if (!types.includes(type) && !(type === 'integer' && types.includes('number'))) return false
  if (Array.isArray(value)) return value.every(each => fits(schema.items ?? {}, each))
  if (schema.properties) return false // built from its own fields
  if (typeof value !== 'string') return true
  return value.length >= (schema.minLength ?? 0) && new RegExp(schema.pattern ?? '', 'u').test(value)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

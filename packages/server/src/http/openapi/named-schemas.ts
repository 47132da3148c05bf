import * as protocol from '@lectern/protocol'
import type { JsonSchema } from './examples.ts'

/** Objects with the same fields are one schema, whatever the order of the keys. */
const keyOf = (schema: object): string =>
  JSON.stringify(schema, (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

const isObjectSchema = (value: unknown): value is JsonSchema & { $id?: string } =>
  value !== null && typeof value === 'object' && 'type' in value && value.type === 'object'

/** The object schemas that the protocol package exports, by their content. */
const NAMES = new Map<string, string>()
for (const [name, schema] of Object.entries(protocol))
  if (isObjectSchema(schema)) {
    const key = keyOf(schema)
    if (!NAMES.has(key)) NAMES.set(key, schema.$id ?? name)
  }

/** The name of an event of version 2, such as `RoomStartedEvent`. */
export const nameOfEvent = (type: string): string =>
  `${type.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}Event`

for (const [type, schema] of Object.entries(protocol.PARTNER_EVENT_SCHEMAS))
  NAMES.set(keyOf(schema), nameOfEvent(type))

/** Formats that JSON Schema defines; the others are our own (packages/protocol/src/formats.ts). */
const FORMATS: Readonly<Record<string, string>> = { 'zoned-time': 'date-time', binary: 'binary' }

/** Collects the named schemas of a document. */
export class SchemaComponents {
  readonly schemas: Record<string, object> = {}

  /** The schema as the document shows it: named ones by reference. */
  publish(schema: JsonSchema): object {
    const reference = this.#reference(schema)
    if (reference) return reference
    const types = [schema.type].flat()
    if (schema.properties && types.includes('null')) {
      const { description, ...object } = schema
      const named = this.#reference({ ...object, type: 'object' })
      if (named) return { ...(description && { description }), anyOf: [named, { type: 'null' }] }
    }
    return this.#publishContent(schema)
  }

  #reference(schema: JsonSchema): object | null {
    const name = NAMES.get(keyOf(schema))
    if (name === undefined) return null
    this.schemas[name] ??= this.#publishContent(schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  #publishContent(schema: JsonSchema): object {
    const { $id, type, format, properties, items, anyOf, patternProperties, ...rest } =
      schema as JsonSchema & {
        $id?: string
        format?: string
        patternProperties?: object
      }
    const knownFormat = format && FORMATS[format]
    return {
      ...typeOf(schema),
      ...rest,
      ...(knownFormat && { format: knownFormat }),
      ...(rest.enum && isNullable(schema) && { enum: [...new Set([...rest.enum, null])] }),
      ...(properties && { properties: this.#publishAll(properties) }),
      ...(patternProperties && { additionalProperties: {} }), // all of them are records of anything
      ...(items && { items: this.publish(items) }),
      ...(anyOf && { anyOf: anyOf.map(each => this.publish(each)) }),
    }
  }

  #publishAll = (properties: Record<string, JsonSchema>) =>
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, this.publish(each)]))
}

const isNullable = ({ type }: JsonSchema) => Array.isArray(type) && type.includes('null')

/** The type, even if the schema leaves it to a constant or to a list of values. */
function typeOf(schema: JsonSchema): { type?: string | string[] } {
  const { type, const: constant, enum: values } = schema
  if (values) return { type: isNullable(schema) ? ['string', 'null'] : 'string' }
  if (constant !== undefined && Number.isInteger(constant)) return { type: 'integer' }
  if (typeof constant === 'string') return { type: 'string' }
  return type === undefined ? {} : { type }
}

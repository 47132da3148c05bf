import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { validationMessage } from '../validation-message.ts'

interface Variant extends TSchema {
  properties: Record<string, TSchema>
}

/** The discriminating properties of envelope variants. */
const TAGS = ['status', 'mode']

/** Describes why an invalid `value` violates the schema, beginning with `where`. */
export function explain(where: string, schema: TSchema, value: unknown): string {
  const [first] = Errors(variantFor(schema, value), value)
  return first ? validationMessage(first, where) : `${where} is invalid`
}

/** The union variant that the value's discriminator selects; errors of the others would mislead. */
function variantFor(schema: TSchema, value: unknown): TSchema {
  const variants = (schema as { anyOf?: Variant[] }).anyOf
  if (!variants || typeof value !== 'object' || value === null) return schema
  const tag = TAGS.find(each => variants.every(variant => each in variant.properties))
  if (!tag) return schema
  const tagSchemas = variants.map(variant => variant.properties[tag] as TSchema)
  const selected = tagSchemas.findIndex(each => Check(each, (value as Record<string, unknown>)[tag]))
  return variants[selected] ?? tagsOnly(tag, tagSchemas)
}

/** A schema that only lists the allowed values of the discriminator. */
function tagsOnly(tag: string, tagSchemas: TSchema[]): TSchema {
  const values = tagSchemas.flatMap(
    each => (each as { enum?: unknown[] }).enum ?? [(each as { const?: unknown }).const],
  )
  return { type: 'object', required: [tag], properties: { [tag]: { enum: values } } } as TSchema
}

import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { validationMessage } from '../validation-message.ts'

interface Variant extends TSchema {
  properties: Record<string, TSchema>
}

/** The properties that tell the variants of an envelope apart. */
const TAGS = ['status', 'mode']

/** One sentence on what is wrong with `value`, beginning with where. Only for values that do not fit. */
export function explain(where: string, schema: TSchema, value: unknown): string {
  const [first] = Errors(variantFor(schema, value), value)
  return first ? validationMessage(first, where) : `${where} does not have the right shape`
}

/** The variant of a union that the value means to be, because the faults of the others say nothing. */
function variantFor(schema: TSchema, value: unknown): TSchema {
  const variants = (schema as { anyOf?: Variant[] }).anyOf
  if (!variants || typeof value !== 'object' || value === null) return schema
  const tag = TAGS.find(each => variants.every(variant => each in variant.properties))
  if (!tag) return schema
  const tagSchemas = variants.map(variant => variant.properties[tag] as TSchema)
  const meant = tagSchemas.findIndex(each => Check(each, (value as Record<string, unknown>)[tag]))
  return variants[meant] ?? tagsOnly(tag, tagSchemas)
}

/** Every value of the tag, as one list. */
function tagsOnly(tag: string, tagSchemas: TSchema[]): TSchema {
  const values = tagSchemas.flatMap(
    each => (each as { enum?: unknown[] }).enum ?? [(each as { const?: unknown }).const],
  )
  return { type: 'object', required: [tag], properties: { [tag]: { enum: values } } } as TSchema
}

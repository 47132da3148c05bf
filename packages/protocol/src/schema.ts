import { type Static, type TSchema, Type } from 'typebox'

/**
 * `schema` or null. Written as a list of types because validators and serializers handle that without
 * trying alternatives one by one.
 */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, ...rest } = schema as T & { type: string }
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'] })
}

/** Text from outside: bounded, well-formed. Lengths count Unicode code points (rule API-6). */
export const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, format: 'text', ...(description && { description }) })

/** Every success body says so in itself, too (rule API-1). */
export const Result = Type.Literal(200, { description: 'Equal to the HTTP status.' })

export const ErrorBody = Type.Object(
  {
    result: Type.Integer({ description: 'Equal to the HTTP status.' }),
    code: Type.String({ description: 'Stable; docs/errors.md lists the codes.' }),
    message: Type.String({ description: 'For people; wording may change.' }),
  },
  { $id: 'Error', description: 'Refused; `code` says why.' },
)
export type ErrorBody = Static<typeof ErrorBody>

import { type Static, type TSchema, Type } from 'typebox'

/**
 * `schema` or null, as a list of types, which validators and serializers handle faster than alternatives.
 */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, ...rest } = schema as T & { type: string }
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'] })
}

/** Bounded, well-formed text. Lengths count Unicode code points (rule API-6). */
export const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, format: 'text', ...(description && { description }) })

/** Every success body says so in itself, too (rule API-1). */
export const Result = Type.Literal(200, { description: 'Equal to the HTTP status.' })

/** The people inside of a conference, for people who have not joined. */
export const ParticipantPreview = Type.Object(
  {
    names: Type.Array(Type.String(), { description: 'The names of the first ones inside, at most 2.' }),
    count: Type.Integer({ description: 'How many people are inside.' }),
  },
  {
    description: 'The people inside; absent when nobody is, or when the holder of the link may have to wait.',
  },
)

/** The response of an action that returns nothing. */
export const Done = Type.Object({ result: Result })

export const ErrorBody = Type.Object(
  {
    result: Type.Integer({ description: 'Equal to the HTTP status.' }),
    code: Type.String({ description: 'Stable; docs/errors.md lists the codes.' }),
    message: Type.String({ description: 'For people; wording may change.' }),
  },
  { $id: 'Error', description: 'The request was rejected for the reason in `code`.' },
)
export type ErrorBody = Static<typeof ErrorBody>

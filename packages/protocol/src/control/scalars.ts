import { Type } from 'typebox'
import { COUNTER_PATTERN, GENERATION_PATTERN } from './uint64.ts'

/** The scalar types of envelopes (docs/control-protocol.md#envelopes). */

export const Id = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
  description: 'An identifier: 1 to 128 characters.',
})

export const Counter = Type.String({
  maxLength: 20,
  pattern: COUNTER_PATTERN,
  description: 'An unsigned 64-bit integer as a canonical decimal string, 0 to 18446744073709551615.',
})

export const Generation = Type.String({
  maxLength: 20,
  pattern: GENERATION_PATTERN,
  description: 'A positive counter.',
})

export const DURATION_MAX = 2_147_483_647
export const Duration = Type.Integer({
  minimum: 1,
  maximum: DURATION_MAX,
  description: 'Milliseconds.',
})

/** The only objects with arbitrary properties. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'Any JSON object.',
})

/** Every other object rejects unknown properties. */
export const strict = { additionalProperties: false } as const

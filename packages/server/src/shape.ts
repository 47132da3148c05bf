import { Ajv } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { ajvOptions, explainValidation } from './http/validation.ts'

const ajv = new Ajv(ajvOptions.customOptions)

/** Returns a validator. It throws `invalid_argument` with the name of the invalid field; `what` names the value. */
export function shape<T extends TSchema>(what: string, schema: T): (value: unknown) => Static<T> {
  const validate = ajv.compile<Static<T>>(schema)
  return value => {
    if (validate(value)) return value
    throw explainValidation(validate.errors as never, what)
  }
}

import { formats, Refusal, validationMessage } from '@lectern/protocol'
import { Ajv } from 'ajv'
import type { Static, TSchema } from 'typebox'

/** Types are validated, never coerced; unknown fields are ignored (rule API-4). */
export const ajvOptions = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: false,
    formats,
  },
} as const

type ValidationErrors = Parameters<typeof validationMessage>[0][]

/** One sentence that names the field: "teacher.external_id must be 1 to 255 bytes long." */
export function explainValidation(errors: ValidationErrors, context: string): Refusal {
  const [error] = errors
  // Values of a query are strings, unless a parameter occurs twice.
  const isRepeated = context === 'querystring' && error?.keyword === 'type'
  const message = !error
    ? `The ${context} is not valid`
    : isRepeated
      ? `${error.instancePath.slice(1)} must be given once`
      : validationMessage(error, '', `The ${context}`)
  return new Refusal('invalid_argument', `${message}.`)
}

const ajv = new Ajv(ajvOptions.customOptions)

/** Returns a validator. It throws `invalid_argument` with the name of the invalid field; `what` names the value. */
export function shape<T extends TSchema>(what: string, schema: T): (value: unknown) => Static<T> {
  const validate = ajv.compile<Static<T>>(schema)
  return value => {
    if (validate(value)) return value
    throw explainValidation((validate.errors ?? []) as ValidationErrors, what)
  }
}

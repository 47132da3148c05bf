import { formats, Refusal, validationMessage } from '@lectern/protocol'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'

/** Types are validated, never coerced; unknown fields are ignored (rule API-4). */
const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  addUsedSchema: false, // schemas of several routes have the same `$id`
  formats,
})

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

interface Validator<T> {
  (value: unknown): value is T
  errors?: ValidateFunction['errors']
}

/** A schema is compiled for the first value, because compiling the schemas of all routes takes a fifth of a start. */
function lazyValidator<T>(schema: object): Validator<T> {
  let compiled: ValidateFunction<T> | undefined
  const validate: Validator<T> = (value): value is T => {
    compiled ??= ajv.compile<T>(schema)
    const isValid = compiled(value)
    validate.errors = compiled.errors
    return isValid
  }
  return validate
}

/** Fastify's compilers. Presenters select the fields of answers, so no schema filters them; for small bodies JSON.stringify is the fastest. */
export const compilersFactory = {
  buildValidator:
    () =>
    ({ schema }: { schema: object }) =>
      lazyValidator(schema),
  buildSerializer: () => () => JSON.stringify,
}

/** Returns a validator. It throws `invalid_argument` with the name of the invalid field; `what` names the value. */
export function shape<T extends TSchema>(what: string, schema: T): (value: unknown) => Static<T> {
  const validate = lazyValidator<Static<T>>(schema)
  return value => {
    if (validate(value)) return value
    throw explainValidation((validate.errors ?? []) as ValidationErrors, what)
  }
}

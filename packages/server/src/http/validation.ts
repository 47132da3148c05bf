import { formats, Refusal, validationMessage } from '@lectern/protocol'
import type { FastifySchemaValidationError } from 'fastify'

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

/** One sentence that names the field: "teacher.external_id must be 1 to 255 bytes long." */
export function explainValidation(errors: FastifySchemaValidationError[], context: string): Refusal {
  const [error] = errors
  const message = error ? validationMessage(error, '', `The ${context}`) : `The ${context} is not valid`
  return new Refusal('invalid_argument', `${message}.`)
}

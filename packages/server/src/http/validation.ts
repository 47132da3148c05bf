import { formats, Refusal } from '@lectern/protocol'
import type { FastifySchemaValidationError } from 'fastify'

/** Ajv as the protocol wants it: types are checked, never converted; unknown fields are ignored (contract §9). */
export const ajvOptions = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: false,
    formats,
  },
} as const

const FORMATS: Record<string, string> = {
  text: 'must be well-formed text without NUL characters',
  'person-id': 'must be 1 to 255 bytes long',
  'zoned-time': 'must be an ISO 8601 time with a timezone, such as 2026-09-01T10:00:00+03:00',
}

/** What patterns that callers meet mean in words. */
const PATTERNS: Record<string, string> = { '^(?!\\.{1,2}$)': 'must not be "." or ".."' }

/** One sentence that names the field: "teacher.external_id must be 1 to 255 bytes long." */
export function explainValidation(errors: FastifySchemaValidationError[], context: string): Refusal {
  const error = errors[0]
  const field = error?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const says = `${sentence(error, field || `The ${context}`)}.`
  return new Refusal('invalid_argument', says)
}

function sentence(error: FastifySchemaValidationError | undefined, field: string): string {
  const params = (error?.params ?? {}) as Record<string, unknown>
  switch (error?.keyword) {
    case 'required':
      return `${params.missingProperty} is required`
    case 'format':
      return `${field} ${FORMATS[String(params.format)] ?? error.message}`
    case 'enum':
      return `${field} must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'type':
      return `${field} must be ${[params.type].flat().join(' or ')}`
    case 'minLength':
      return `${field} must have at least ${params.limit} character${params.limit === 1 ? '' : 's'}`
    case 'maxLength':
      return `${field} must have at most ${params.limit} characters`
    case 'minItems':
      return `${field} must not be empty`
    case 'pattern':
      return `${field} ${PATTERNS[String(params.pattern)] ?? error.message}`
    default:
      return `${field} ${error?.message ?? 'is not valid'}`
  }
}

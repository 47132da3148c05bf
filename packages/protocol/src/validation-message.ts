import { COUNTER_PATTERN, GENERATION_PATTERN } from './control/uint64.ts'
import { PAGE_PATTERNS } from './page-patterns.ts'

/** The common fields of validation errors of Ajv and TypeBox. */
interface ValidationError {
  keyword: string
  /** A JSON pointer. */
  instancePath: string
  params: object
}

const LISTED_NAMES_MAX = 8
const NAME_MAX = 40

const FORMATS: Record<string, string> = {
  text: 'must be well-formed text without NUL characters',
  'person-id': 'must be 1 to 255 bytes long',
  'zoned-time': 'must be an ISO 8601 time with a timezone, such as 2026-09-01T10:00:00+03:00',
}

/** Descriptions of patterns in public schemas. */
const PATTERNS: Record<string, string> = {
  '^(?!\\.{1,2}$)': 'must not be "." or ".."',
  '^[A-Za-z0-9][A-Za-z0-9._:-]*$':
    'must begin with a letter or digit and may hold letters, digits, ".", "_", ":" and "-"',
  '\\S': 'must not be blank',
  '^#[0-9A-Fa-f]{6}$': 'must be a colour such as #0a7d5a',
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': 'must be a language such as en or pt-BR',
  '^2\\d{3}-(0[1-9]|1[0-2])$': 'must be a month such as 2030-09',
  [COUNTER_PATTERN]: 'must be a whole number from 0 on, written as a string',
  [GENERATION_PATTERN]: 'must be a whole number from 1 on, written as a string',
  ...PAGE_PATTERNS,
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/**
 * Describes an error, beginning with the field, without a full stop: "login has an unknown field zzz", "body.teacher
 * must be an object". `root` begins every path; `whole` names the value where the path is empty.
 */
export function validationMessage(error: ValidationError, root: string, whole = root): string {
  const { keyword, instancePath } = error
  const params = error.params as Record<string, unknown>
  const path = instancePath.slice(1).split('/').filter(Boolean).map(decode)
  const at = (steps: string[]) => [root, ...steps].filter(Boolean).join('.') || whole
  const field = at(path)
  const isOne = params.limit === 1
  switch (keyword) {
    case 'required': {
      const [missing] = namesIn(params.requiredProperties ?? [params.missingProperty])
      return `${at([...path, missing ?? ''])} is required`
    }
    case 'boolean': // TypeBox reports unknown fields of strict objects like this
      return `${at(path.slice(0, -1))} has an unknown field ${path.at(-1) ?? ''}`
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const unknown = params.additionalProperties ?? params.additionalProperty ?? params.unevaluatedProperties
      return `${field} has an unknown field ${namesIn([unknown].flat()).join(', ')}`
    }
    case 'type':
      return `${field} must be ${namesIn([params.type].flat())
        .map(type => TYPES[type] ?? type)
        .join(' or ')}`
    case 'enum':
      return `${field} must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`
    case 'const':
      return `${field} must be ${JSON.stringify(params.allowedValue)}`
    case 'format':
      return `${field} ${FORMATS[String(params.format)] ?? `must be a valid ${params.format}`}`
    case 'pattern':
      return `${field} ${PATTERNS[String(params.pattern)] ?? `must have the form ${params.pattern}`}`
    case 'minLength':
      return `${field} must have at least ${params.limit} character${isOne ? '' : 's'}`
    case 'maxLength':
      return `${field} must have at most ${params.limit} character${isOne ? '' : 's'}`
    case 'minItems':
      return isOne ? `${field} must not be empty` : `${field} must have at least ${params.limit} items`
    case 'maxItems':
      return `${field} must have at most ${params.limit} item${isOne ? '' : 's'}`
    case 'uniqueItems':
      return `${field} must not hold the same item twice`
    case 'minimum':
      return `${field} must be at least ${params.limit}`
    case 'maximum':
      return `${field} must be at most ${params.limit}`
    default:
      return `${field} is invalid`
  }
}

/** Untrusted names: limited in number and length. */
const namesIn = (names: unknown): string[] =>
  (names as unknown[]).slice(0, LISTED_NAMES_MAX).map(name => String(name).slice(0, NAME_MAX))

const decode = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, NAME_MAX)

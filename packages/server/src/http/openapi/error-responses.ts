import { type ErrorCode, errorOf } from '@lectern/protocol'
import type { DocumentedRoute } from './operation.ts'

const USER: ErrorCode[] = [
  'unauthenticated',
  'token_expired',
  'session_ended',
  'account_deleted',
  'not_configured',
]
const SERVICE: ErrorCode[] = ['unauthenticated', 'token_expired', 'permission_denied', 'not_configured']
const BODY: ErrorCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type']
/** Errors of every operation: the request is malformed, or the server or its store failed. */
const ALWAYS: ErrorCode[] = ['invalid_argument', 'internal', 'temporarily_unavailable']
/** Before any operation is reached. */
const ANY_REQUEST: ErrorCode[] = [
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
]

const statusOf = (code: ErrorCode) => errorOf(code).status ?? 0

/** The code that clients get. */
const publicCode = (code: ErrorCode) => (errorOf(code).httpCode ?? code) as ErrorCode

/** Every error code of an operation: of its policy, of its input, and its own. */
export function codesOf({ method, config, schema }: DocumentedRoute): ErrorCode[] {
  const schemes = (config?.auth?.security ?? []).flatMap(each => Object.keys(each))
  const codes = [
    ...(schemes.includes('user') ? USER : []),
    ...(schemes.includes('service') ? SERVICE : []),
    ...(config?.auth?.name === 'admin' ? (['permission_denied'] as const) : []),
    ...(config?.auth?.documents.errors ?? []),
    ...(method === 'GET' || method === 'HEAD' ? [] : BODY),
    ...(schema.errors ?? []),
    ...ALWAYS,
  ]
  return [...new Set(codes.map(publicCode))]
}

const HEADERS = {
  RequestId: {
    description: "The id of the request, which is in the server's log, too.",
    schema: { type: 'string' },
    example: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  },
  RetryAfter: {
    description: 'Seconds after which the request may succeed.',
    schema: { type: 'integer' },
    example: 5,
  },
  Authenticate: {
    description: 'The scheme of authentication.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  UnsatisfiedRange: {
    description: 'The size of the file.',
    schema: { type: 'string' },
    example: 'bytes */48193023',
  },
}
type HeaderName = keyof typeof HEADERS

const OF_STATUS: Readonly<Record<number, readonly [string, HeaderName]>> = {
  401: ['WWW-Authenticate', 'Authenticate'],
  416: ['Content-Range', 'UnsatisfiedRange'],
  429: ['Retry-After', 'RetryAfter'],
  503: ['Retry-After', 'RetryAfter'],
  507: ['Retry-After', 'RetryAfter'],
}

const pascalCase = (code: string) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Collects the error responses of a document, and the examples and headers that they share. */
export class ErrorComponents {
  readonly responses: Record<string, object> = {}
  readonly examples: Record<string, object> = {}
  readonly headers: Record<string, object> = {}

  /** The header of every response (rule API-9). */
  requestId() {
    return { 'X-Request-Id': this.#header('RequestId') }
  }

  /** The responses to failed requests by status. HEAD has no bodies. */
  responsesOf(codes: ErrorCode[], method: string): Record<string, object> {
    const statuses = [...new Set(codes.map(statusOf))].sort()
    const failed = statuses.map(status => [
      status,
      this.#response(
        codes.filter(code => statusOf(code) === status),
        method,
      ),
    ])
    return { ...Object.fromEntries(failed), default: this.#response(ANY_REQUEST, method, 'AnyRequest') }
  }

  #response(codes: ErrorCode[], method: string, name = codes.map(pascalCase).join('Or')): object {
    const key = method === 'HEAD' ? `${name}WithoutBody` : name
    this.responses[key] ??= this.#content(codes, method)
    return { $ref: `#/components/responses/${key}` }
  }

  #content(codes: ErrorCode[], method: string): object {
    const lines = codes.map(code => `\`${code}\`: ${errorOf(code).message}`)
    const statuses = new Set(codes.map(statusOf))
    const special = statuses.size === 1 ? OF_STATUS[[...statuses][0] ?? 0] : undefined
    const schema = {
      allOf: [
        { $ref: '#/components/schemas/Error' },
        { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
      ],
    }
    const examples = Object.fromEntries(codes.map(code => [code, this.#example(code)]))
    return {
      description: lines.length === 1 ? lines[0] : lines.map(line => `- ${line}`).join('\n'),
      headers: { ...this.requestId(), ...(special && { [special[0]]: this.#header(special[1]) }) },
      ...(method !== 'HEAD' && { content: { 'application/json': { schema, examples } } }),
    }
  }

  #example(code: ErrorCode) {
    const { status, message } = errorOf(code)
    this.examples[code] ??= { summary: message, value: { result: status, code, message } }
    return { $ref: `#/components/examples/${code}` }
  }

  #header(name: HeaderName) {
    this.headers[name] ??= HEADERS[name]
    return { $ref: `#/components/headers/${name}` }
  }
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type ApiDocument, type ApiOperation, operationsOf } from './api-document.ts'
import type { Answer } from './http.ts'

interface Documented {
  method: string
  path: RegExp
  operation: ApiOperation
}

/** Compares what servers answer in tests with their OpenAPI document: every status, every error code, every field. */
export class DocumentedAnswers {
  readonly #operations: Documented[]
  readonly #ajv = new Ajv2020({ strict: false })
  readonly #validators = new Map<object, ValidateFunction>()

  constructor(document: ApiDocument) {
    addFormats.default(this.#ajv)
    this.#operations = operationsOf(document)
      .map(([name, operation]) => {
        const [method = '', path = ''] = name.split(' ')
        return {
          method,
          path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
          operation,
        }
      })
      // Names before parameters: /deliveries/test is not /deliveries/{id}.
      .sort((a, b) => a.path.source.split('[^').length - b.path.source.split('[^').length)
  }

  /** Throws unless the document has the answer. False: no operation has this method and path. */
  check(method: string, url: string, { status, body }: Answer): boolean {
    const path = url.split('?')[0] ?? ''
    const operation = this.#operations.find(each => each.method === method && each.path.test(path))?.operation
    if (!operation) return false
    const { operationId, responses } = operation
    const response = responses[status] ?? (status >= 400 ? responses.default : undefined)
    if (!response) throw new Error(`the OpenAPI document has no ${status} of ${operationId}`)
    if (typeof body !== 'object') return true
    if (status >= 400) {
      const codes = [response, responses.default].flatMap(each => Object.keys(examplesOf(each)))
      if (!codes.includes(body.code))
        throw new Error(`the OpenAPI document has no ${status} ${body.code} of ${operationId}`)
    }
    const schema = response.content?.['application/json']?.schema
    if (!schema || status >= 400) return true
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(schema)
    this.#validators.set(schema, validate)
    if (!validate(body))
      throw new Error(
        `an answer to ${operationId} is not as documented: ${this.#ajv.errorsText(validate.errors)}`,
      )
    return true
  }
}

const examplesOf = (response: ApiOperation['responses'][string] | undefined) =>
  response?.content?.['application/json']?.examples ?? {}

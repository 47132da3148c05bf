import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type ApiDocument, type ApiOperation, operationsOf, readApiDocument } from './api-document.ts'
import { type Answer, type Call, call } from './http.ts'
import { openRoutes } from './routes.ts'

/** Routes of /api that the document leaves out: itself, and the handshake of WebSockets. */
const HIDDEN = /^\/api\/(openapi\.json|v1\.0\/control)/

interface Documented {
  method: string
  path: RegExp
  operation: ApiOperation
}

/** Compares what servers answer in tests with their OpenAPI document: every status, every error code, every field. */
class DocumentedAnswers {
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

  /** Throws unless the document has the answer. Pages, probes and paths that do not exist are not compared. */
  check(method: string, url: string, { status, body }: Pick<Answer, 'status' | 'body'>): void {
    const path = url.split('?')[0] ?? ''
    const operation = this.#operations.find(each => each.method === method && each.path.test(path))?.operation
    if (!operation) {
      if (status < 400 && method !== 'HEAD' && path.startsWith('/api/') && !HIDDEN.test(path))
        throw new Error(`the OpenAPI document has no ${method} ${path}`)
      return
    }
    const { operationId, responses } = operation
    const response = responses[status] ?? (status >= 400 ? responses.default : undefined)
    if (!response) throw new Error(`the OpenAPI document has no ${status} of ${operationId}`)
    if (typeof body !== 'object') return
    if (status >= 400) {
      const codes = [response, responses.default].flatMap(each => Object.keys(examplesOf(each)))
      if (!codes.includes(body.code))
        throw new Error(`the OpenAPI document has no ${status} ${body.code} of ${operationId}`)
    }
    const schema = response.content?.['application/json']?.schema
    if (!schema || status >= 400) return
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(schema)
    this.#validators.set(schema, validate)
    if (!validate(body))
      throw new Error(
        `an answer to ${operationId} is not as documented: ${this.#ajv.errorsText(validate.errors)}`,
      )
  }
}

let documented: Promise<DocumentedAnswers> | undefined

async function readDocument(): Promise<DocumentedAnswers> {
  const routes = await openRoutes()
  try {
    return new DocumentedAnswers(await readApiDocument(routes.app))
  } finally {
    await routes.close()
  }
}

/** Throws if the OpenAPI document does not have the answer. */
export async function expectDocumented(
  method: string,
  path: string,
  answer: Pick<Answer, 'status' | 'body'>,
): Promise<void> {
  documented ??= readDocument()
  ;(await documented).check(method, path, answer)
}

/** Sends one request to a server of ours; throws if the OpenAPI document does not have its answer. */
export async function callDocumented(
  url: string,
  method: string,
  path: string,
  options?: Call,
): Promise<Answer> {
  const answer = await call(url, method, path, options)
  await expectDocumented(method, path, answer)
  return answer
}

const examplesOf = (response: ApiOperation['responses'][string] | undefined) =>
  response?.content?.['application/json']?.examples ?? {}

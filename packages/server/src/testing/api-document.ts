import type { FastifyInstance } from 'fastify'
import type { JsonSchema } from '../http/openapi/examples.ts'

export interface ApiParameter {
  name: string
  in: string
  required?: boolean
  schema: JsonSchema
}

type Content = Record<
  string,
  { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
>

export interface ApiOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: ApiParameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { description: string; headers?: object; content?: Content }>
}

export interface ApiDocument {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, ApiOperation>>
  webhooks: Record<string, { post: ApiOperation }>
  components: Record<string, Record<string, object>>
}

/** The OpenAPI document of the server, with what its references name in their places. */
export async function readApiDocument(app: FastifyInstance): Promise<ApiDocument> {
  return dereference((await app.inject('/api/openapi.json')).json())
}

function dereference(document: ApiDocument): ApiDocument {
  // Every reference to one thing becomes the same object: it is resolved, and its schema compiled, once.
  const targets = new Map<string, unknown>()
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (value === null || typeof value !== 'object') return value
    const { $ref } = value as { $ref?: string }
    if (typeof $ref === 'string') {
      if (!targets.has($ref)) targets.set($ref, resolve(targetOf(document, $ref)))
      return targets.get($ref)
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)]))
  }
  return resolve(document) as ApiDocument
}

/** Throws for a reference without a target. */
function targetOf(document: ApiDocument, reference: string): unknown {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(reference) ?? []
  const target = document.components[kind]?.[name]
  if (target === undefined) throw new Error(`${reference} does not exist`)
  return target
}

/** Every operation by its name, such as `GET /api/v1.0/me`. */
export const operationsOf = ({ paths }: ApiDocument): [name: string, operation: ApiOperation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, ApiOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )

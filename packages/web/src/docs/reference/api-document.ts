/** The parts of the OpenAPI document that the reference shows. */

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  description?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export type Content = Record<
  string,
  { schema: Schema; example?: unknown; examples?: Record<string, unknown> }
>

export interface Response {
  $ref?: string
  description: string
  headers?: Record<string, { $ref?: string; description?: string; schema?: Schema }>
  content?: Content
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; description?: string; content: Content }
  responses: Record<string, Response>
}

export interface ApiDocument {
  info: { version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: Record<string, Record<string, unknown>>
}

/** The target of a reference in the document; the value itself if it is no reference. */
export function resolve<T extends { $ref?: string }>(document: ApiDocument, value: T): T {
  const path = value.$ref?.match(/^#\/components\/(\w+)\/(\w+)$/)
  if (!path) return value
  const [, kind = '', name = ''] = path
  return (document.components[kind]?.[name] ?? value) as T
}

/** The name of the schema that is referenced. */
export const schemaName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

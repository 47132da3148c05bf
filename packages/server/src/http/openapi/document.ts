import { ErrorBody, INTEGER_PATTERNS } from '@lectern/protocol'
import type { RouteOptions } from 'fastify'
import { bodyIsOptional } from '../body.ts'
import { codesOf, ErrorComponents } from './error-responses.ts'
import { exampleOf, type JsonSchema } from './examples.ts'
import { SchemaComponents } from './named-schemas.ts'
import { type Header, type Operation, TAGS } from './operation.ts'
import { webhooksOf } from './webhooks.ts'

export interface Server {
  version: string
  /** The base address of the API. */
  url: string
}

type Content = Record<string, { schema: JsonSchema }>
type ResponseSchema = JsonSchema & { content?: Content }

const DESCRIPTION = `Hosted rooms for partner platforms, and the accounts of ordinary users. Guides are beside this reference at \`/docs\`.

Every response is a JSON object whose \`result\` is the HTTP status, files and captions apart. An error is
\`{"result", "code", "message"}\`: branch on \`code\`. Ignore fields that you do not know; they are added without a new version.

Live sessions run over a WebSocket, \`GET /api/v1.0/control\`, which \`/docs/asyncapi.json\` describes.`

/** The OpenAPI document of the routes: what validates their input, their policies, and their operations. */
export function apiDocument(routes: readonly RouteOptions[], { version, url }: Server) {
  const components = { schemas: new SchemaComponents(), errors: new ErrorComponents() }
  components.schemas.publish(ErrorBody)
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const { operation } = route.schema ?? {}
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    const method = String(route.method).toLowerCase()
    if (operation && !isExposedHead(route, routes))
      paths[path] = { ...paths[path], [method]: describe(route, operation, components) }
  }
  const { responses, examples, headers } = components.errors
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lectern',
      version,
      description: DESCRIPTION,
      contact: { name: 'The operator of this server', url },
      license: { name: 'As agreed with the operator', identifier: 'LicenseRef-Lectern' },
    },
    externalDocs: { description: 'Guides', url: `${url}/docs` },
    servers: [{ url, description: 'This server' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(components.schemas),
    components: {
      securitySchemes: {
        service: { type: 'http', scheme: 'bearer', description: 'The token of `createAccessToken`.' },
        user: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token of `signIn` or `signInByLink`.',
        },
      },
      schemas: sorted(components.schemas.schemas),
      responses: sorted(responses),
      examples: sorted(examples),
      headers: sorted(headers),
    },
  }
}

const sorted = (all: Record<string, object>) =>
  Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Fastify adds HEAD to every GET, with the same operation. */
const isExposedHead = ({ method, schema }: RouteOptions, routes: readonly RouteOptions[]) =>
  method === 'HEAD' &&
  routes.some(each => each.method === 'GET' && each.schema?.operation === schema?.operation)

interface Components {
  schemas: SchemaComponents
  errors: ErrorComponents
}

function describe(route: RouteOptions, operation: Operation, components: Components) {
  const { operationId, tag, summary, description } = operation
  const parameters = parametersOf(route, operation, components.schemas)
  const body = bodyOf(route, operation, components.schemas)
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: operation.schemes?.map(name => ({ [name]: [] })) ?? route.config?.auth?.security ?? [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...successes(route, operation, components),
      ...components.errors.responsesOf(codesOf(route, operation), String(route.method)),
    },
  }
}

function parametersOf({ schema }: RouteOptions, operation: Operation, schemas: SchemaComponents): object[] {
  const fromSchema = (where: 'path' | 'query', object: unknown) => {
    const { properties = {}, required = [] } = (object ?? {}) as JsonSchema
    return Object.entries(properties).map(([name, each]) => {
      const { description, ...published } = schemas.publish(numberOf(each)) as JsonSchema
      const isRequired = where === 'path' || required.includes(name)
      return {
        in: where,
        name,
        ...(isRequired && { required: true }),
        ...(description && { description }),
        schema: published,
        ...(where === 'path' && { example: operation.path?.[name] ?? exampleOf(numberOf(each), name) }),
      }
    })
  }
  const fromTable = (where: 'path' | 'header', table: Readonly<Record<string, Header>> = {}) =>
    Object.entries(table).map(([name, header]) => ({
      in: where,
      name,
      ...(where === 'path' && { required: true }),
      ...header,
    }))
  return [
    ...fromSchema('path', schema?.params),
    ...fromTable('path', operation.params),
    ...fromSchema('query', schema?.querystring),
    ...fromTable('header', operation.headers),
  ]
}

/** Values of queries and paths are strings, but readers and generators of clients think of numbers. */
const numberOf = ({ pattern, type, ...rest }: JsonSchema): JsonSchema => {
  const range = INTEGER_PATTERNS[pattern ?? '']
  return range
    ? { type: 'integer', ...range, ...rest }
    : { ...(type && { type }), ...(pattern && { pattern }), ...rest }
}

function bodyOf({ schema, preValidation }: RouteOptions, operation: Operation, schemas: SchemaComponents) {
  if (operation.body) {
    const { type, description } = operation.body
    return {
      description,
      required: true,
      content: { [type]: { schema: { type: 'string', format: 'binary' } } },
    }
  }
  if (!schema?.body) return null
  const body = schema.body as JsonSchema
  const isRequired = ![preValidation].flat().includes(bodyIsOptional as never)
  return {
    required: isRequired,
    content: {
      'application/json': {
        schema: schemas.publish(body),
        example: { ...(exampleOf(body) as object), ...operation.request },
      },
    },
  }
}

/** Responses of the statuses below 400. */
function successes(route: RouteOptions, operation: Operation, { schemas, errors }: Components) {
  const inSchema = (route.schema?.response ?? {}) as Record<string, ResponseSchema>
  return Object.fromEntries(
    Object.keys(operation.responses ?? inSchema).map(status => {
      const documented = operation.responses?.[Number(status)]
      const schema = inSchema[status]
      const content = route.method !== 'HEAD' && schema && contentOf(schema, operation, schemas)
      return [
        status,
        {
          description: documented?.description ?? schema?.description ?? 'Done.',
          headers: { ...errors.requestId(), ...published(documented?.headers) },
          ...(content && { content }),
        },
      ]
    }),
  )
}

/** Headers of responses are never required of the reader. */
const published = (headers: Readonly<Record<string, Header>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, { required: _, ...header }]) => [name, header]))

function contentOf(schema: ResponseSchema, { response }: Operation, schemas: SchemaComponents) {
  if (schema.content) return schema.content
  const example = { ...(exampleOf(schema) as object), ...response }
  return { 'application/json': { schema: schemas.publish(schema), example } }
}

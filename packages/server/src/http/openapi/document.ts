import { ErrorBody, INTEGER_PATTERNS } from '@lectern/protocol'
import type { RouteOptions } from 'fastify'
import { bodyIsOptional } from '../body.ts'
import { codesOf, ErrorComponents } from './error-responses.ts'
import { exampleOf, type JsonSchema } from './examples.ts'
import { SchemaComponents } from './named-schemas.ts'
import { type DocumentedRoute, type Header, TAGS } from './operation.ts'
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

/** The OpenAPI document of the routes: what validates their input, their policies, and their texts. */
export function apiDocument(routes: readonly RouteOptions[], { version, url }: Server) {
  const components = { schemas: new SchemaComponents(), errors: new ErrorComponents() }
  components.schemas.publish(ErrorBody)
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes.filter(isDocumented)) {
    if (isExposedHead(route, routes)) continue
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: describe(route, components) }
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

const isDocumented = (route: RouteOptions): route is DocumentedRoute =>
  route.schema?.operationId !== undefined

/** Fastify adds HEAD to every GET, with the same schema. */
const isExposedHead = ({ method, schema }: DocumentedRoute, routes: readonly RouteOptions[]) =>
  method === 'HEAD' &&
  routes.some(each => each.method === 'GET' && each.schema?.operationId === schema.operationId)

interface Components {
  schemas: SchemaComponents
  errors: ErrorComponents
}

function describe(route: DocumentedRoute, components: Components) {
  const { operationId, tag, summary, description, byHandler } = route.schema
  const parameters = parametersOf(route, components.schemas)
  const body = bodyOf(route, components.schemas)
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: byHandler?.schemes?.map(name => ({ [name]: [] })) ?? route.config?.auth?.security ?? [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...successes(route, components),
      ...components.errors.responsesOf(codesOf(route), String(route.method)),
    },
  }
}

function parametersOf(
  { schema: { params, querystring, example, byHandler }, config }: DocumentedRoute,
  schemas: SchemaComponents,
): object[] {
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
        ...(where === 'path' && { example: example?.path?.[name] ?? exampleOf(numberOf(each), name) }),
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
    ...fromSchema('path', params),
    ...fromTable('path', byHandler?.params),
    ...fromSchema('query', querystring),
    ...fromTable('header', config?.auth?.documents.headers),
    ...fromTable('header', byHandler?.headers),
  ]
}

/** Values of queries and paths are strings, but readers and generators of clients think of numbers. */
const numberOf = ({ pattern, type, ...rest }: JsonSchema): JsonSchema => {
  const range = INTEGER_PATTERNS[pattern ?? '']
  return range
    ? { type: 'integer', ...range, ...rest }
    : { ...(type && { type }), ...(pattern && { pattern }), ...rest }
}

function bodyOf({ schema, preValidation }: DocumentedRoute, schemas: SchemaComponents) {
  if (schema.byHandler?.body) {
    const { type, description } = schema.byHandler.body
    return {
      description,
      required: true,
      content: { [type]: { schema: { type: 'string', format: 'binary' } } },
    }
  }
  if (!schema.body) return null
  const isOptional = [preValidation].flat().includes(bodyIsOptional as never)
  return { required: !isOptional, content: jsonOf(schema.body, schema.example?.request, schemas) }
}

/** Responses of the statuses below 400. */
function successes({ method, schema }: DocumentedRoute, { schemas, errors }: Components) {
  const declared = (schema.response ?? {}) as Record<string, ResponseSchema>
  const byHandler = schema.byHandler?.responses
  return Object.fromEntries(
    Object.keys(byHandler ?? declared).map(status => {
      const response = declared[status]
      const { description = response?.description ?? 'Done.', headers } = byHandler?.[Number(status)] ?? {}
      const content =
        method !== 'HEAD' &&
        response &&
        (response.content ?? jsonOf(response, schema.example?.response, schemas))
      return [
        status,
        {
          description,
          headers: { ...errors.requestId(), ...published(headers) },
          ...(content && { content }),
        },
      ]
    }),
  )
}

/** Headers of responses are never required of the reader. */
const published = (headers: Readonly<Record<string, Header>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, { required: _, ...header }]) => [name, header]))

const jsonOf = (schema: JsonSchema, example: object | undefined, schemas: SchemaComponents) => ({
  'application/json': {
    schema: schemas.publish(schema),
    example: { ...(exampleOf(schema) as object), ...example },
  },
})

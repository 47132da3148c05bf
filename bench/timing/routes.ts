import type { Request } from './client.ts'

export const V1 = '/api/v1/integration'
export const V2 = '/api/v2/integration'
export type Version = typeof V1 | typeof V2

interface Operation {
  operationId: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

interface Document {
  paths: Record<string, Record<string, Operation>>
}

export interface Route {
  method: string
  path: string
  version: Version
  operation: Operation
  /** Of the path. */
  parameters: string[]
}

/** Whoever calls them makes something of their own. */
const CREATING = ['createRoom', 'putHostedRoom']

/** All routes of partners that name a thing, from the reference of the server. */
export function routesOf({ paths }: Document): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const version = ([V1, V2] as const).find(each => path.startsWith(`${each}/`))
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const isForPartners = operation.security.some(each => 'service' in each)
      if (!version || !isForPartners || CREATING.includes(operation.operationId)) return []
      if (parameters.length === 0 && !operation.parameters?.some(isRoom)) return []
      return [{ method: method.toUpperCase(), path, version, operation, parameters }]
    }),
  )
}

const isRoom = (parameter: { name: string; in: string }) =>
  parameter.in === 'query' && parameter.name === 'room'

/** The request for these things, with the example of the reference as its body. */
export function requestOf(
  { method, path, version, operation }: Route,
  token: string,
  values: Record<Version, Record<string, string>>,
): Request {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[version][name] ?? name)
  const query = operation.parameters?.some(isRoom) ? `?room=${values[version].external_id}` : ''
  const request = { method, path: filled + query, token }
  const [content] = Object.entries(operation.requestBody?.content ?? {})
  if (!content) return request
  const [type, { example }] = content
  return type === 'application/json'
    ? { ...request, body: example }
    : { ...request, body: Buffer.from('x'), type }
}

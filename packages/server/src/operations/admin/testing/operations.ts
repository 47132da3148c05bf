import { readApiDocument } from '../../../testing/api-document.ts'
import { openRoutes } from '../../../testing/routes.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minLength?: number
  minItems?: number
  minProperties?: number
  pattern?: string
}

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** A route of the administration API, with a request that its schemas accept. */
export interface Sample {
  name: string
  method: string
  path: string
  body?: Record<string, unknown>
}

/** A request to every route of the administration API that the OpenAPI document describes, about unknown things. */
export async function sampleRequests(): Promise<Sample[]> {
  const { paths } = (await readDocument()) as unknown as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1.0/admin/'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => sampleOf(path, method.toUpperCase(), operation)),
    )
}

async function readDocument() {
  const { app, close } = await openRoutes()
  try {
    return await readApiDocument(app)
  } finally {
    await close()
  }
}

function sampleOf(path: string, method: string, { parameters = [], requestBody }: Operation): Sample {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(sampleValue(parameters.find(each => each.name === name && each.in === 'path')?.schema ?? {})),
  )
  const schema = requestBody?.content['application/json']?.schema
  const body = schema && (sampleValue(schema) as Record<string, unknown>)
  return { name: `${method} ${path}`, method, path: filled, ...(body && { body }) }
}

function sampleValue({
  type,
  enum: values,
  properties = {},
  required = [],
  items,
  ...limits
}: Schema): unknown {
  if (values) return values[0]
  switch ([type].flat()[0]) {
    case 'object': {
      const names = limits.minProperties ? Object.keys(properties).slice(0, limits.minProperties) : required
      return Object.fromEntries(names.map(name => [name, sampleValue(properties[name] ?? {})]))
    }
    case 'array':
      return Array.from({ length: limits.minItems ?? 0 }, () => sampleValue(items ?? {}))
    case 'boolean':
      return true
    case 'integer':
      return 987_654_321
    default:
      return limits.pattern ? '987654321' : 'x'.repeat(Math.max(8, limits.minLength ?? 0))
  }
}

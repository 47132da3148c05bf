import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'

interface Operation {
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: object }> }>
}

let server: TestServer
// biome-ignore lint/suspicious/noExplicitAny: a document to inspect
let document: any
beforeAll(async () => {
  server = await startTestServer()
  document = (await server.call('GET', '/api/openapi.json')).body
})
afterAll(() => server.close())

const operations = (): [name: string, operation: Operation][] =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, each]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      each,
    ]),
  )

const BASE = '/api/v1/integration'
const CONTRACT: [name: string, auth: 'none' | 'service' | 'any'][] = [
  [`POST ${BASE}/auth/token`, 'none'],
  [`GET ${BASE}/server_info`, 'service'],
  [`PUT ${BASE}/rooms/{external_id}`, 'service'],
  [`GET ${BASE}/rooms/{external_id}`, 'service'],
  [`PATCH ${BASE}/rooms/{external_id}`, 'service'],
  [`POST ${BASE}/rooms/{external_id}/cancel`, 'service'],
  [`POST ${BASE}/rooms/{external_id}/close`, 'service'],
  [`GET ${BASE}/rooms/{external_id}/status`, 'service'],
  [`PUT ${BASE}/webhook`, 'service'],
  [`GET ${BASE}/webhook`, 'service'],
  [`GET ${BASE}/join/{token}`, 'none'],
  [`POST ${BASE}/join/{token}`, 'none'],
  ['GET /api/v1.0/recordings', 'any'],
  ['GET /api/storage/blobs/{blob_id}', 'any'],
]

const SECURITY = { none: [], service: [{ service: [] }], any: [{ service: [] }, { user: [] }] }

/** The content type of a response. */
function typeOf(name: string): string {
  if (name.endsWith('/{blob_id}')) return 'application/octet-stream'
  return name.endsWith('.vtt') ? 'text/vtt' : 'application/json'
}

describe('the OpenAPI document', () => {
  it('is a valid OpenAPI 3.1 document', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'Lectern', version: expect.any(String) })
    expect(Object.keys(document.components.securitySchemes).sort()).toEqual(['service', 'user'])
  })

  it.each(CONTRACT)('has %s', (name, auth) => {
    const operation = Object.fromEntries(operations())[name] as Operation
    expect(operation).toBeDefined()
    expect(operation.security).toEqual(SECURITY[auth])
  })

  it('describes every operation and its responses', () => {
    expect(operations().length).toBeGreaterThan(CONTRACT.length)
    for (const [name, operation] of operations()) {
      expect(operation.summary, name).toBeTruthy()
      expect(operation.tags, name).toHaveLength(1)
      const type = typeOf(name)
      const { '4XX': refused, '5XX': failed, ...done } = operation.responses
      expect(Object.keys(done), name).toContain('200')
      for (const response of Object.values(operation.responses))
        expect(typeof response.description, name).toBe('string')
      for (const response of Object.values(done)) expect(response.content?.[type]?.schema, name).toBeDefined()
      for (const response of [refused, failed])
        expect(response?.content?.['application/json']?.schema, name).toBeDefined()
    }
  })

  it('declares every path parameter, and only methods that the routes have', () => {
    for (const [name, operation] of operations()) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(match => match[1])
      const declared = (operation.parameters ?? []).filter(each => each.in === 'path')
      expect(declared.map(each => each.name).sort(), name).toEqual(inPath.sort())
      for (const each of declared) expect(each.required, name).toBe(true)
      expect(name).toMatch(/^(GET|PUT|PATCH|POST|DELETE) \/api\//)
    }
  })

  it('marks optional bodies', () => {
    const required = Object.fromEntries(
      operations().map(([name, each]) => [name, each.requestBody?.required]),
    )
    expect(required).toMatchObject({
      [`POST ${BASE}/auth/token`]: true,
      [`PUT ${BASE}/webhook`]: true,
      [`PUT ${BASE}/rooms/{external_id}`]: false,
      [`PATCH ${BASE}/rooms/{external_id}`]: false,
      [`POST ${BASE}/join/{token}`]: false,
      'POST /api/v1.0/auth/guest': false,
    })
    expect(required[`POST ${BASE}/rooms/{external_id}/cancel`]).toBeUndefined()
  })

  it('contains every schema that it references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(match => match[1])
    for (const reference of references) {
      expect(reference).toMatch(/^#\//)
      const path = (reference as string).slice(2).split('/')
      expect(
        path.reduce((at, key) => at?.[key], document),
        reference,
      ).toBeDefined()
    }
  })
})

describe('the reference page', () => {
  it('loads nothing from other origins', async () => {
    const page = await server.call('GET', '/docs/')
    expect(page.status).toBe(200)
    expect(page.body).toContain('Lectern API')
    expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(page.headers['content-security-policy']).not.toMatch(/https?:|\*/)
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1] as string)
    expect(assets.length).toBeGreaterThan(2)
    for (const asset of assets) {
      const { pathname } = new URL(asset, `${server.url}/docs/`)
      expect((await server.call('GET', pathname)).status, asset).toBe(200)
    }
  })
})

import { readFileSync } from 'node:fs'
import { type ErrorCode, errorOf, errors, PARTNER_EVENTS } from '@lectern/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiDocument, operationsOf, readApiDocument } from '../../testing/api-document.ts'
import { openRoutes } from '../../testing/routes.ts'
import { TAGS } from './operation.ts'

let routes: Awaited<ReturnType<typeof openRoutes>>
let document: ApiDocument
beforeAll(async () => {
  routes = await openRoutes()
  document = await readApiDocument(routes.app)
})
afterAll(() => routes.close())

const operations = () => operationsOf(document)
const ids = () => operations().map(([, { operationId }]) => operationId)

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

describe('the OpenAPI document', () => {
  it('describes this server', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'Lectern', version: expect.any(String) })
    expect(document.servers.map(({ url }) => url)).toEqual(['https://meet.example.org'])
    expect(Object.keys(document.components.securitySchemes ?? {}).sort()).toEqual(['service', 'user'])
  })

  it.each(CONTRACT)('has %s', (name, auth) => {
    expect(Object.fromEntries(operations())[name]?.security).toEqual(SECURITY[auth])
  })

  it('has every operation of the routes once', () => {
    const declared = routes.app.declaredRoutes.flatMap(({ schema }) => schema?.operationId ?? [])
    expect(ids().sort()).toEqual([...new Set(declared)].sort())
  })

  it('has every error code that HTTP responses have', () => {
    const named = operations().flatMap(([, { responses }]) =>
      Object.values(responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}),
      ),
    )
    const codes = (Object.keys(errors) as ErrorCode[]).filter(code => errorOf(code).status !== undefined)
    const missing = codes.map(code => errorOf(code).httpCode ?? code).filter(code => !named.includes(code))
    // Errors of the handshake of the control channel, which docs/asyncapi.json describes.
    const ofHandshake = ['upgrade_required', 'too_many_connections', 'server_full']
    expect(new Set(missing)).toEqual(new Set(ofHandshake))
    const asyncApi = readFileSync(new URL('../../../../../docs/asyncapi.json', import.meta.url), 'utf8')
    for (const code of ofHandshake) expect(asyncApi).toContain(code)
  })

  it('describes every operation, its parameters and its responses', () => {
    for (const [
      name,
      { operationId, summary, description, tags, parameters = [], responses },
    ] of operations()) {
      expect(operationId, name).toMatch(/^[a-z][A-Za-z]+$/)
      expect(summary, name).toMatch(/^[A-Z].*[^.]$/)
      expect(description, name).toMatch(/^[A-Z`][\s\S]*\.$/)
      expect(tags.every(tag => tag in TAGS) && tags.length, name).toBe(1)
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(match => match[1])
      const declared = parameters.filter(each => each.in === 'path')
      expect(declared.map(each => each.name).sort(), name).toEqual(inPath.sort())
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['500', '503', 'default']))
      for (const [status, response] of Object.entries(responses)) {
        expect(response.description, `${name} ${status}`).toMatch(/\.$|\.\n/)
        expect(response.headers, `${name} ${status}`).toHaveProperty('X-Request-Id')
      }
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
      'PATCH /api/storage/uploads/{upload_id}': true,
    })
    expect(required[`POST ${BASE}/rooms/{external_id}/cancel`]).toBeUndefined()
  })

  it('names its schemas: bodies are references', async () => {
    const body = (await routes.app.inject('/api/openapi.json')).json()
    const inline: string[] = []
    for (const [path, item] of Object.entries(body.paths as ApiDocument['paths']))
      for (const [method, { requestBody, responses }] of Object.entries(item))
        for (const { content } of [requestBody, ...Object.values(responses)].filter(
          each => each !== undefined,
        )) {
          const { schema } = content?.['application/json'] ?? {}
          if (schema && !('$ref' in schema)) inline.push(`${method} ${path}`)
        }
    expect(inline).toEqual([])
    expect(Object.keys(body.components.schemas)).toEqual(
      expect.arrayContaining(['Error', 'RoomResponse', 'RoomPerson', 'RecordingRecord', 'FileRecord']),
    )
  })

  it('has examples of every body that fit its schema', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    let count = 0
    const events = Object.entries(document.webhooks).map(([name, { post }]) => [name, post] as const)
    for (const [name, { requestBody, responses }] of [...operations(), ...events])
      for (const { content } of [requestBody, ...Object.values(responses)].filter(
        each => each !== undefined,
      )) {
        const { schema, example, examples = {} } = content?.['application/json'] ?? {}
        if (!schema) continue
        const all = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples).map(({ value }) => value),
        ]
        expect(all.length, name).toBeGreaterThan(0)
        for (const each of all) {
          count++
          const isValid = ajv.validate(schema, each)
          expect(isValid || ajv.errorsText(), `${name} ${JSON.stringify(each)}`).toBe(true)
        }
      }
    expect(count).toBeGreaterThan(500)
  })

  it('has the events of webhooks with all their headers', () => {
    expect(Object.keys(document.webhooks)).toEqual([
      ...['recording.ready', 'transcription.ready', 'webhook.test'],
      ...[...PARTNER_EVENTS, 'webhook.test'].map(type => `v2/${type}`),
    ])
    const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    for (const [event, { post }] of Object.entries(document.webhooks)) {
      expect(post.parameters?.filter(({ required }) => required).map(({ name }) => name)).toEqual([
        'X-Service-Event',
        'X-Service-Delivery',
        'X-Service-Timestamp',
        'X-Service-Signature',
        'User-Agent',
        ...(event.startsWith('v2/') ? standard : []),
      ])
      expect(post.parameters?.map(({ name }) => name)).toContain('X-Service-Signatures')
    }
  })
})

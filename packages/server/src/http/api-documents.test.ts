import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

interface Operation {
  parameters?: { name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const documents = ['partner-api.md', 'http-api.md', 'single-sign-on.md', 'webhooks.md'].map(read).join('\n')
/** The code spans and blocks of the documents: fields, paths and examples. */
const code = [...documents.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([text]) => text).join('\n')

let server: TestServer
let paths: Record<string, Record<string, Operation>>
beforeAll(async () => {
  server = await startTestServer()
  paths = (await server.call('GET', '/api/openapi.json')).body.paths
})
afterAll(() => server.close())

const operations = () => Object.values(paths).flatMap(item => Object.values(item))

function fieldsOf({ properties = {}, items, anyOf = [] }: Schema): string[] {
  const nested = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return [...Object.keys(properties), ...nested.flatMap(fieldsOf)]
}

const schemasOf = ({ requestBody, responses }: Operation) =>
  [requestBody, responses['200']].flatMap(body =>
    Object.values(body?.content ?? {}).map(({ schema }) => schema),
  )

const isMentioned = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code)

describe('the API documents', () => {
  it('list every endpoint', () => {
    const missing = Object.entries(paths).flatMap(([path, item]) => {
      const shown = path.replace('/api/v1/integration', '')
      return Object.keys(item)
        .map(method => `${method.toUpperCase()} ${shown}`)
        .filter(endpoint => !documents.includes(`\`${endpoint}\``) && !documents.includes(`\`${endpoint}?`))
    })
    expect(missing).toEqual([])
  })

  it('name every field of requests and responses, and every parameter', () => {
    const fields = operations().flatMap(each => schemasOf(each).flatMap(fieldsOf))
    const parameters = operations().flatMap(({ parameters = [] }) => parameters.map(({ name }) => name))
    expect(fields.length).toBeGreaterThan(100)
    expect([...new Set([...fields, ...parameters])].filter(name => !isMentioned(name))).toEqual([])
  })
})

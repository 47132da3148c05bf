import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ApiDocument,
  type ApiOperation,
  operationsOf,
  readApiDocument,
} from '../../testing/api-document.ts'
import { openRoutes } from '../../testing/routes.ts'
import type { JsonSchema } from './examples.ts'

const read = (name: string) => readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8')
const documents = [
  'partner-api.md',
  'partner-api-v2.md',
  'http-api.md',
  'single-sign-on.md',
  'webhooks.md',
  'uploads.md',
  'slides.md',
  'whip-whep.md',
]
  .map(read)
  .join('\n')
/** The code spans and blocks of the documents: fields, paths and examples. */
const code = [...documents.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([text]) => text).join('\n')

let routes: Awaited<ReturnType<typeof openRoutes>>
let document: ApiDocument
beforeAll(async () => {
  routes = await openRoutes()
  document = await readApiDocument(routes.app)
})
afterAll(() => routes.close())

function fieldsOf({ properties = {}, items, anyOf = [] }: JsonSchema): string[] {
  const nested = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return [...Object.keys(properties), ...nested.flatMap(fieldsOf)]
}

const schemasOf = ({ requestBody, responses }: ApiOperation) =>
  [requestBody, responses['200']].flatMap(body =>
    Object.values(body?.content ?? {}).map(({ schema }) => schema),
  )

const isMentioned = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code)

describe('the API documents', () => {
  it('list every endpoint', () => {
    const missing = operationsOf(document)
      .map(([name]) => name.replace('/api/v1/integration', '').replace('/api/v2/integration', ''))
      .filter(name => !documents.includes(`\`${name}\``) && !documents.includes(`\`${name}?`))
    expect(missing).toEqual([])
  })

  it('name every field of requests and responses, and every parameter', () => {
    const all = operationsOf(document).map(([, operation]) => operation)
    const fields = all.flatMap(each => schemasOf(each).flatMap(fieldsOf))
    const parameters = all.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name))
    expect(fields.length).toBeGreaterThan(100)
    expect([...new Set([...fields, ...parameters])].filter(name => !isMentioned(name))).toEqual([])
  })
})

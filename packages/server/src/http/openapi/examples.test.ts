import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Keys } from '../../accounts/keys.ts'
import { Links } from '../../partners/links.ts'
import { type ApiDocument, operationsOf, readApiDocument } from '../../testing/api-document.ts'
import { openRoutes } from '../../testing/routes.ts'

let routes: Awaited<ReturnType<typeof openRoutes>>
let document: ApiDocument
beforeAll(async () => {
  routes = await openRoutes()
  document = await readApiDocument(routes.app)
})
afterAll(() => routes.close())

interface Example {
  /** The operation and where the example is in it. */
  where: string
  schema: object
  example: unknown
}

/** Every example that stands beside a schema: of parameters, headers, requests and responses. */
function examplesIn(value: unknown, where: string): Example[] {
  if (value === null || typeof value !== 'object') return []
  const { schema, example, examples } = value as { schema?: object; example?: unknown; examples?: object }
  const named = Object.values(examples ?? {}).map(each => each.value)
  const own = schema ? [...(example === undefined ? [] : [example]), ...named] : []
  const inside = Object.entries(value).flatMap(([key, each]) =>
    key === 'schema' || key === 'example' || key === 'examples' ? [] : examplesIn(each, `${where} ${key}`),
  )
  return [...own.map(each => ({ where, schema: schema ?? {}, example: each })), ...inside]
}

const allExamples = () => {
  const webhooks = Object.entries(document.webhooks).map(([name, { post }]) => [name, post] as const)
  return [...operationsOf(document), ...webhooks].flatMap(([name, operation]) => examplesIn(operation, name))
}

/** The fields of examples, by `parent.name`. */
function fieldsOf(value: unknown, parent = '', name = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[`${parent}.${name}`, value]]
  if (Array.isArray(value)) return value.flatMap(each => fieldsOf(each, parent, name))
  return Object.entries(value ?? {}).flatMap(([key, each]) => fieldsOf(each, name, key))
}

describe('examples of the OpenAPI document', () => {
  it('have the form of their schemas', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const all = allExamples()
    expect(all.length).toBeGreaterThan(500)
    const wrong = all.filter(({ schema, example }) => !ajv.validate(schema, example))
    expect(wrong.map(({ where }) => where)).toEqual([])
  })

  it('have ids and addresses as the server makes them', () => {
    const fields = allExamples().flatMap(({ example }) => fieldsOf(example))
    const forms: [RegExp, RegExp][] = [
      [/(^|\.)(\w+_)?blob_ids?$/, /^b_[0-9a-f]{32}$/],
      [/\.(job_id|recording_id)$|^(recordings|transcripts)\.id$/, /^job_[0-9a-f]{24}$/],
      [/\.delivery_id$|^deliveries\.id$/, /^wh_[0-9a-f]{32}$/],
      [
        /\.(events|manifest|report|report_jsonl)_url$|^files\.url$/,
        /^\/api\/storage\/blobs\/b_[0-9a-f]{32}$/,
      ],
      [/^sign_ins\.id$/, /^[ug]-[\w-]{22}$/],
      [/\.participant_id$/, /^\d+\.\d+\.\d+$/],
    ]
    for (const [path, form] of forms) {
      const values = fields.filter(([name]) => path.test(name))
      expect(values.length, String(path)).toBeGreaterThan(0)
      expect(values.filter(([, text]) => !form.test(text))).toEqual([])
    }
    const links = new Links(new Keys('an example'))
    const joinUrls = fields.filter(([name]) => /\.(teacher|student)_join_url$/.test(name))
    for (const [, url] of joinUrls)
      expect(links.verify(url.replace(/.*\/j\//, '')).tag).toBe('k7mq-x2wd9-rtnh')
  })

  it('are numbers where a number is meant, also in queries', () => {
    const parameters = operationsOf(document).flatMap(([, { parameters = [] }]) => parameters)
    const types = (name: string) => [
      ...new Set(parameters.filter(each => each.name === name).map(each => each.schema.type)),
    ]
    expect(['limit', 'user_id', 'conference_session_id'].map(types)).toEqual([
      ['integer'],
      ['integer'],
      ['integer'],
    ])
  })
})

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { asyncApi } from './testing/asyncapi.ts'
import { schemaFiles } from './testing/published.ts'
import { inputOf, vectorFiles } from './testing/vectors.ts'

/** UPDATE_DOCS=1 writes the files instead of comparing them. */
const docs = new URL('../../../../docs/', import.meta.url)
const files: Record<string, unknown> = { 'asyncapi.json': asyncApi() }
for (const [name, schema] of Object.entries(schemaFiles())) files[`schemas/${name}`] = schema

if (process.env.UPDATE_DOCS) {
  mkdirSync(new URL('schemas/', docs), { recursive: true })
  for (const [name, content] of Object.entries(files))
    if (!isCurrent(name, content)) writeFileSync(new URL(name, docs), `${JSON.stringify(content, null, 2)}\n`)
}

function read(name: string): unknown {
  const path = new URL(name, docs)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Compares content, because the formatter changes the layout. */
function isCurrent(name: string, content: unknown): boolean {
  return JSON.stringify(read(name)) === JSON.stringify(content)
}

describe('published files', () => {
  it('match the code (UPDATE_DOCS=1 rewrites them)', () => {
    expect(Object.keys(files).filter(name => !isCurrent(name, files[name]))).toEqual([])
    const left = readdirSync(new URL('schemas/', docs)).filter(name => !(`schemas/${name}` in files))
    expect(left).toEqual([])
  })

  for (const [name, file] of vectorFiles) {
    it(`${file.schema} accepts and rejects the cases of ${name} that depend on the schema only`, () => {
      const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false })
      const validate = ajv.compile(read(`schemas/${file.schema}`) as object)
      const disagreements = file.cases
        .filter(each => !each.beyond_shape && !isAboutBytes(each))
        .filter(each => validate(parsed(inputOf(each))) !== (each.valid ?? false))
        .map(each => each.name)
      expect(disagreements).toEqual([])
    })
  }

  it('include every file that the AsyncAPI document references', () => {
    const refs = JSON.stringify(asyncApi()).match(/\.\/schemas\/[a-z0-9_]+\.json/g) ?? []
    expect(refs.length).toBeGreaterThan(10)
    for (const ref of refs) expect(existsSync(new URL(ref, docs))).toBe(true)
  })
})

const isAboutBytes = (each: object) => 'code' in each && 'max_frame_bytes' in each
const parsed = (input: string | Uint8Array) =>
  JSON.parse(typeof input === 'string' ? input : new TextDecoder().decode(input))

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Parser } from '@asyncapi/parser'
import { expect, it } from 'vitest'

it('docs/asyncapi.json is valid for the official parser, with the schemas that it references', async () => {
  const source = fileURLToPath(new URL('../../../../docs/asyncapi.json', import.meta.url))
  const text = readFileSync(source, 'utf8')
  expect(JSON.parse(text).asyncapi).toBe('3.1.0')
  expect(await new Parser().validate(text, { source })).toEqual([])
})

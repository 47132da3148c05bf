import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '@lectern/protocol'
import { expect, it } from 'vitest'

/** Refused by parseLogin of the protocol package. */
const USED_BY_THE_CODEC = ['protocol_unsupported']

const source = new URL('..', import.meta.url).pathname

it('the error catalogue has no code that the server never uses', () => {
  const files = (readdirSync(source, { recursive: true }) as string[]).filter(
    file =>
      file.endsWith('.ts') &&
      !/\.(test|contract)\.ts$|(^|\/)testing\/|^http\/openapi\/|\/operations\.ts$/.test(file),
  )
  // The reference names codes, but throws none.
  const text = files
    .map(file => readFileSync(join(source, file), 'utf8').replace(/\berrors: \[[^\]]*\]/g, ''))
    .join('\n')
  const isUsed = (code: string) =>
    USED_BY_THE_CODEC.includes(code) ||
    text.includes(`'${code}'`) ||
    (code.startsWith('media_') && text.includes(`'${code.slice('media_'.length)}'`))
  expect(Object.keys(errors).filter(code => !isUsed(code))).toEqual([])
})

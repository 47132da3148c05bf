import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseLoginResult, parseServerFrame, SERVER_ENVELOPES } from './client.ts'
import { inputOf, vectorFiles } from './testing/vectors.ts'

const limits = { maxFrameBytes: 131_072 }

const casesOf = (name: string) => vectorFiles.find(([file]) => file === `${name}.json`)?.[1].cases ?? []

describe('the client entry', () => {
  it('imports no module outside this package at run time, so that clients bundle no schema library', () => {
    const seen = new Set<string>()
    const foreign: string[] = []
    const visit = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      for (const specifier of runtimeImports(readFileSync(file, 'utf8')))
        if (specifier.startsWith('.')) visit(fileURLToPath(new URL(specifier, `file://${file}`)))
        else foreign.push(`${file}: ${specifier}`)
    }
    visit(fileURLToPath(new URL('client.ts', import.meta.url)))
    expect(foreign).toEqual([])
    expect(seen.size).toBeGreaterThan(5)
  })
})

/** Imports and re-exports other than type-only ones. */
function runtimeImports(source: string): string[] {
  const found = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)
  return [...found].map(([, specifier]) => specifier as string)
}

describe('parseServerFrame', () => {
  for (const kind of SERVER_ENVELOPES)
    it(`accepts every valid ${kind}`, () => {
      const valid = casesOf(kind).filter(each => each.valid)
      expect(valid.length).toBeGreaterThan(5)
      for (const each of valid)
        expect(parseServerFrame(inputOf(each), limits), each.name).toMatchObject({ ok: true, kind })
    })

  it('rejects frames that only clients send', () => {
    for (const kind of ['control_command', 'control_sync'])
      expect(parseServerFrame(`{"${kind}":{}}`, limits)).toMatchObject({ ok: false, rule: 'F5' })
  })

  it('rejects violations of rules F1 to F8 like the server', () => {
    for (const each of casesOf('framing').filter(({ beyond_shape }) => beyond_shape)) {
      const maxFrameBytes = each.max_frame_bytes ?? limits.maxFrameBytes
      expect(parseServerFrame(inputOf(each), { maxFrameBytes }), each.name).toMatchObject({ ok: false })
    }
  })

  it('rejects every frame with a missing field or a field of the wrong type', () => {
    for (const kind of SERVER_ENVELOPES) {
      const wrong = casesOf(kind).filter(({ name }) => /^\w+ (is missing|is null)$/.test(name))
      expect(wrong.length).toBeGreaterThan(0)
      for (const each of wrong.filter(({ valid, name }) => !valid && !OPTIONAL.test(name)))
        expect(parseServerFrame(inputOf(each), limits), `${kind}: ${each.name}`).toMatchObject({ ok: false })
    }
  })
})

/** The client does not validate optional fields. */
const OPTIONAL = /^(data|aggregate|extensions|expected_version|request_id) is null$/

describe('parseLoginResult', () => {
  it('accepts every valid login_result', () => {
    for (const each of casesOf('login_result').filter(({ valid }) => valid))
      expect(parseLoginResult(inputOf(each), limits), each.name).toMatchObject({ ok: true })
  })

  it('rejects a result with neither a user nor an error', () => {
    for (const text of [
      '{"login_result":{"ok":true}}',
      '{"login_result":{"ok":false}}',
      '{"login_result":null}',
    ])
      expect(parseLoginResult(text, limits)).toMatchObject({ ok: false, rule: 'F9' })
  })
})

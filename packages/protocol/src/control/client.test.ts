import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseLoginResult, parseServerFrame, SERVER_ENVELOPES } from './client.ts'
import { inputOf, vectorFiles } from './testing/vectors.ts'

const limits = { maxFrameBytes: 131_072 }

const casesOf = (name: string) => vectorFiles.find(([file]) => file === `${name}.json`)?.[1].cases ?? []

describe('the client entry', () => {
  it('reaches no module outside this package at run time, so that no schema library comes along', () => {
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

/** Imports and re-exports that are not of types only. */
function runtimeImports(source: string): string[] {
  const found = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)
  return [...found].map(([, specifier]) => specifier as string)
}

describe('parseServerFrame', () => {
  for (const kind of SERVER_ENVELOPES)
    it(`takes every valid ${kind}`, () => {
      const valid = casesOf(kind).filter(each => each.valid)
      expect(valid.length).toBeGreaterThan(5)
      for (const each of valid)
        expect(parseServerFrame(inputOf(each), limits), each.name).toMatchObject({ ok: true, kind })
    })

  it('refuses frames that only a client sends', () => {
    for (const kind of ['control_command', 'control_sync'])
      expect(parseServerFrame(`{"${kind}":{}}`, limits)).toMatchObject({ ok: false, rule: 'F5' })
  })

  it('refuses what breaks F1 to F8 as the server does', () => {
    for (const each of casesOf('framing').filter(({ beyond_shape }) => beyond_shape)) {
      const maxFrameBytes = each.max_frame_bytes ?? limits.maxFrameBytes
      expect(parseServerFrame(inputOf(each), { maxFrameBytes }), each.name).toMatchObject({ ok: false })
    }
  })

  it('refuses every frame in which a field is missing or not of its type', () => {
    for (const kind of SERVER_ENVELOPES) {
      const wrong = casesOf(kind).filter(({ name }) => /^\w+ (is missing|is null)$/.test(name))
      expect(wrong.length).toBeGreaterThan(0)
      for (const each of wrong.filter(({ valid, name }) => !valid && !OPTIONAL.test(name)))
        expect(parseServerFrame(inputOf(each), limits), `${kind}: ${each.name}`).toMatchObject({ ok: false })
    }
  })
})

/** The client does not look at fields that may be absent. */
const OPTIONAL = /^(data|aggregate|extensions|expected_version|request_id) is null$/

describe('parseLoginResult', () => {
  it('takes every valid login_result', () => {
    for (const each of casesOf('login_result').filter(({ valid }) => valid))
      expect(parseLoginResult(inputOf(each), limits), each.name).toMatchObject({ ok: true })
  })

  it('refuses a result without a user and without an error', () => {
    for (const text of [
      '{"login_result":{"ok":true}}',
      '{"login_result":{"ok":false}}',
      '{"login_result":null}',
    ])
      expect(parseLoginResult(text, limits)).toMatchObject({ ok: false, rule: 'F9' })
  })
})

import { describe, expect, it } from 'vitest'
import { root } from './paths.mjs'
import { findCitations, findDefinitions, prefixOf, readTexts } from './rules.mjs'

const texts = readTexts(root).filter(({ path }) => !path.endsWith('rules.test.mjs'))
const definitions = findDefinitions(texts)
const prefixes = new Set(definitions.map(({ id }) => prefixOf(id)))

describe('numbered rules', () => {
  it('are defined once each', () => {
    const paths = new Map()
    for (const { id, path } of definitions) paths.set(id, [...(paths.get(id) ?? []), path])
    expect([...paths].filter(([, all]) => all.length > 1)).toEqual([])
  })

  it('have prefixes that are each defined in one document', () => {
    const documents = new Map()
    for (const { id, path } of definitions)
      documents.set(prefixOf(id), (documents.get(prefixOf(id)) ?? new Set()).add(path))
    expect([...documents].filter(([, all]) => all.size > 1)).toEqual([])
    expect(documents.size).toBeGreaterThan(30)
  })

  it('are defined wherever something cites them', () => {
    const defined = new Set(definitions.map(({ id }) => id))
    const citations = findCitations(texts, prefixes)
    expect(citations.length).toBeGreaterThan(500)
    expect(citations.filter(({ id }) => !defined.has(id))).toEqual([])
  })

  it('are each cited by a test that proves them', () => {
    const tests = texts.filter(({ path }) => /\.(?:test|spec|contract)\.|\/testing\//.test(path))
    const proven = new Set(findCitations(tests, prefixes).map(({ id }) => id))
    expect(definitions.filter(({ id }) => !proven.has(id))).toEqual([])
  })
})

describe('the search for citations', () => {
  const known = new Set(['K', 'J', 'ROOM-'])
  /** @param {string} path @param {string} text */
  const cited = (path, text) => findCitations([{ path, text }], known).map(({ id }) => id)

  it('finds rules in comments, also across lines, and expands ranges', () => {
    expect(cited('a.ts', '// one of them (rules K1 to K3, J2)')).toEqual(['K1', 'K2', 'K3', 'J2'])
    expect(cited('a.ts', '/**\n * Remembered (rule\n * K14).\n */')).toEqual(['K14'])
    expect(cited('a.ts', '/** Both (J8, J14). */')).toEqual(['J8', 'J14'])
  })

  it('finds rules at the beginning of titles', () => {
    expect(cited('a.test.ts', `it('K1 and Q2 keep order', () => {})`)).toEqual(['K1', 'Q2'])
    expect(cited('a.contract.ts', `it('ROOM-1 returns a room', () => {})`)).toContain('ROOM-1')
  })

  it('finds rules in the prose of documents, and no names of other things', () => {
    expect(new Set(cited('a.md', 'Above (K9) and below J3; `K77` is code.'))).toEqual(new Set(['K9', 'J3']))
    expect(cited('a.test.ts', `it('VP8 and AV1 are shown', () => f(M16))`)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { findBrokenLinks } from './links.mjs'
import { root } from './paths.mjs'
import { readTexts } from './rules.mjs'

const texts = readTexts(root).filter(({ path }) => !path.endsWith('links.test.mjs'))

describe('links between documents', () => {
  it('lead to files and headings that exist, also from code', () => {
    expect(findBrokenLinks(root, texts)).toEqual([])
  })

  it('are reported when their target does not exist', () => {
    const broken = [
      {
        path: 'docs/install.md',
        text: '# A\n[one](#a) [two](#b) [three](nothing.md) `[code](x.md)` `setup/nothing.mjs`',
      },
      { path: 'a.ts', text: '// docs/install.md#b and docs/install.md#a and docs/nothing.md' },
    ]
    expect(findBrokenLinks(root, broken)).toEqual([
      'docs/install.md: docs/install.md#b',
      'docs/install.md: docs/nothing.md',
      'docs/install.md: setup/nothing.mjs',
      'a.ts: docs/install.md#b',
      'a.ts: docs/nothing.md',
    ])
  })

  it('cite no documents outside the repository', () => {
    const outside = /\b(?:contract|design) §/i
    const citing = texts.filter(({ text }) => outside.test(text)).map(({ path }) => path)
    expect(citing).toEqual([])
  })
})

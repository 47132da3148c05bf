import { describe, expect, it } from 'vitest'
import { readAddress } from './address.ts'

describe('readAddress', () => {
  it('keeps the token of a signed link as it is', () => {
    expect(readAddress('/j/abc_DEF-123')).toEqual({ is: 'link', token: 'abc_DEF-123' })
    expect(readAddress('/j/abc/')).toEqual({ is: 'link', token: 'abc' })
    expect(readAddress('/j/a%2Fb')).toEqual({ is: 'link', token: 'a%2Fb' })
    expect(readAddress('/j/a/b')).toEqual({ is: 'link', token: 'a/b' })
  })

  it('reads an address without a token as a truncated link', () => {
    expect(readAddress('/j/')).toEqual({ is: 'link', token: '' })
    expect(readAddress('/j')).toEqual({ is: 'link', token: '' })
  })

  it('decodes the tag of a conference', () => {
    expect(readAddress('/conferences/quiet-fox')).toEqual({ is: 'conference', tag: 'quiet-fox' })
    expect(readAddress('/conferences/%D1%83%D1%80%D0%BE%D0%BA/')).toEqual({ is: 'conference', tag: 'урок' })
  })

  it('is the start page at the root', () => {
    expect(readAddress('/')).toEqual({ is: 'start' })
  })

  it('is not found at any other address', () => {
    for (const path of [
      '/conferences',
      '/conferences/',
      '/conferences/a/b',
      '/conferences/%',
      '/jj/x',
      '/J/x',
    ])
      expect(readAddress(path), path).toEqual({ is: 'not-found' })
  })
})

import { describe, expect, it } from 'vitest'
import { readAddress } from './address.ts'

describe('readAddress', () => {
  it('takes the token of a signed link as it stands', () => {
    expect(readAddress('/j/abc_DEF-123')).toEqual({ is: 'link', token: 'abc_DEF-123' })
    expect(readAddress('/j/abc/')).toEqual({ is: 'link', token: 'abc' })
    expect(readAddress('/j/a%2Fb')).toEqual({ is: 'link', token: 'a%2Fb' })
    expect(readAddress('/j/a/b')).toEqual({ is: 'link', token: 'a/b' })
  })

  it('sees a cut link in an address without a token', () => {
    expect(readAddress('/j/')).toEqual({ is: 'link', token: '' })
    expect(readAddress('/j')).toEqual({ is: 'link', token: '' })
  })

  it('decodes the tag of a conference', () => {
    expect(readAddress('/conferences/quiet-fox')).toEqual({ is: 'conference', tag: 'quiet-fox' })
    expect(readAddress('/conferences/%D1%83%D1%80%D0%BE%D0%BA/')).toEqual({ is: 'conference', tag: 'урок' })
  })

  it('is the start page where nothing is asked for', () => {
    expect(readAddress('/')).toEqual({ is: 'start' })
  })

  it('finds nothing at any other address', () => {
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

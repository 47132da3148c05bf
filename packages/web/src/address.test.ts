import { describe, expect, it } from 'vitest'
import { homePath, readAddress } from './address.ts'

describe('readAddress', () => {
  it.each([
    '',
    '/',
    '.',
    ')',
    ').',
    ',',
    ';',
    '!',
    '>',
    '%3E',
    '%22',
    '%20',
    '%E2%80%9D',
    '%E3%80%82', // 。
    '%EF%BC%89', // ）
    '%D8%9F', // ؟
    '%D8%8C', // ،
    '%C2%BB', // »
    '%E2%80%8B',
    '%C2%A0',
    '…',
    '”',
    '*',
    '&x=1',
    '/x',
    '%',
    '…).',
  ])('reads links without what was copied with them: %s', copied => {
    expect(readAddress(`/j/abc_DEF-123${copied}`)).toEqual({ is: 'link', token: 'abc_DEF-123' })
    if (copied === '/x') return
    expect(readAddress(`/invite/abc_-1${copied}`)).toEqual({ is: 'invite', token: 'abc_-1' })
    if (copied !== '&x=1' && copied !== '%')
      expect(readAddress(`/conferences/quiet-fox${copied}`)).toEqual({ is: 'conference', tag: 'quiet-fox' })
  })

  it('reads links without what stands before their token', () => {
    expect(readAddress('/j/%20(abc')).toEqual({ is: 'link', token: 'abc' })
    expect(readAddress('/j//abc')).toEqual({ is: 'link', token: 'abc' })
    expect(readAddress('/j/abc%252E')).toEqual({ is: 'link', token: 'abc' })
  })

  it('reads links with what breaks their line', () => {
    for (const invisible of ['%E2%80%8B', '%c2%ad', '%E2%81%A0', '%EF%BB%BF', '\u200b']) {
      expect(readAddress(`/j/${invisible}abc${invisible}DEF`)).toEqual({ is: 'link', token: 'abcDEF' })
      const conference = { is: 'conference', tag: 'quiet-fox' }
      expect(readAddress(`/conferences/quiet-${invisible}fox`)).toEqual(conference)
    }
  })

  it.each([
    'Quiet-Fox',
    'QUIET-FOX',
    'quiet%E2%80%93fox',
    'quiet%E2%80%91fox',
    'ｑｕｉｅｔ－ｆｏｘ',
    '%EF%BC%B1uiet-fox',
  ])('reads the tag of a conference as people and programs write it: %s', written => {
    expect(readAddress(`/conferences/${written}`)).toEqual({ is: 'conference', tag: 'quiet-fox' })
  })

  it('reads an address without a token as a truncated link', () => {
    expect(readAddress('/j/')).toEqual({ is: 'link', token: '' })
    expect(readAddress('/j')).toEqual({ is: 'link', token: '' })
  })

  it('finds no invitation without a token', () => {
    for (const path of ['/invite', '/invite/', '/invite/%20', '/invite/a/b'])
      expect(readAddress(path)).toEqual({ is: 'not-found' })
  })

  it('decodes the tag of a conference', () => {
    expect(readAddress('/conferences/quiet-fox')).toEqual({ is: 'conference', tag: 'quiet-fox' })
    expect(readAddress('/conferences/%D1%83%D1%80%D0%BE%D0%BA/')).toEqual({ is: 'conference', tag: 'урок' })
  })

  it('is the page of the conversations at the root', () => {
    const page = { is: 'home', page: 'conversations', parts: [] }
    expect([readAddress('/'), readAddress('/conversations')]).toEqual([page, page])
  })

  it('decodes what follows the name of a page of signed-in users', () => {
    expect(readAddress('/meetings/')).toEqual({ is: 'home', page: 'meetings', parts: [] })
    expect(readAddress('/conversations/direct:7-8')).toMatchObject({ parts: ['direct:7-8'] })
    expect(readAddress('/admin/users/%D1%83')).toMatchObject({ page: 'admin', parts: ['users', 'у'] })
    const room = ['school/1', 'rooms', 'lesson/1']
    expect(readAddress(homePath('integrations', ...room))).toMatchObject({
      page: 'integrations',
      parts: room,
    })
  })

  it('is not found at any other address', () => {
    for (const path of [
      '/conferences',
      '/conferences/',
      '/conferences/a/b',
      '/conferences/%',
      '/jj/x',
      '/J/x',
      '/meetings/x',
      '/calls/a/b',
      '/calls//',
      '/calls/%',
      '/toString',
      '/__proto__',
    ])
      expect(readAddress(path), path).toEqual({ is: 'not-found' })
  })
})

describe('homePath', () => {
  it.each([[[]], [['direct:7-8']], [['conference:урок/1 %']]])('is read as the same page: %j', parts => {
    const path = homePath('conversations', ...parts)
    expect(readAddress(path)).toEqual({ is: 'home', page: 'conversations', parts })
  })

  it('keeps ids of conversations legible', () => {
    expect(homePath('conversations', 'direct:7-8')).toBe('/conversations/direct:7-8')
    expect(homePath('conversations')).toBe('/')
  })
})

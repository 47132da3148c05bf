import { describe, expect, it } from 'vitest'
import { addressLength, splitLinks } from './links.ts'

const linksIn = (text: string) => splitLinks(text).flatMap(each => (each.is === 'link' ? [each.text] : []))

describe('splitLinks', () => {
  it('finds addresses between words, and changes no character', () => {
    const text = 'See https://a.example/x?y=1#z and\nhttp://b.example  now'
    expect(splitLinks(text)).toEqual([
      { is: 'text', text: 'See ' },
      { is: 'link', text: 'https://a.example/x?y=1#z', href: 'https://a.example/x?y=1#z' },
      { is: 'text', text: ' and\n' },
      { is: 'link', text: 'http://b.example', href: 'http://b.example/' },
      { is: 'text', text: '  now' },
    ])
  })

  it('excludes the punctuation of the sentence', () => {
    expect(linksIn('(see https://a.example/x).')).toEqual(['https://a.example/x'])
    expect(linksIn('https://a.example/w_(x), https://b.example!?')).toEqual([
      'https://a.example/w_(x)',
      'https://b.example',
    ])
    expect(linksIn('«https://a.example/страница»')).toEqual(['https://a.example/страница'])
    expect(linksIn('افتح https://a.example/x، ثم https://b.example/y؟')).toEqual([
      'https://a.example/x',
      'https://b.example/y',
    ])
    expect(linksIn('请打开https://a.example/x。（www.b.example/y）谢谢')).toEqual([
      'https://a.example/x',
      'www.b.example/y',
    ])
  })

  it('makes links of http and https only', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,<b>',
      'ftp://a.example',
      'mailto:a@b.example',
      'https://',
      'https://a b',
    ])
      expect(linksIn(text).filter(each => each !== 'https://a')).toEqual([])
  })

  it('treats markup as text', () => {
    const text = '<a href="https://a.example">x</a><img src=x onerror=alert(1)>'
    expect(
      splitLinks(text)
        .map(each => each.text)
        .join(''),
    ).toBe(text)
    expect(linksIn(text)).toEqual(['https://a.example'])
  })

  it('does not let bidirectional control characters disguise an address', () => {
    expect(linksIn('https://a.example/\u202egpj.exe')).toEqual(['https://a.example/'])
  })

  it('makes links of addresses that begin with www.', () => {
    const text = 'See www.a.example/x, (WWW.B.example) or www.bücher.example!'
    expect(splitLinks(text).filter(each => each.is === 'link')).toEqual([
      { is: 'link', text: 'www.a.example/x', href: 'https://www.a.example/x' },
      { is: 'link', text: 'WWW.B.example', href: 'https://www.b.example/' },
      { is: 'link', text: 'www.bücher.example', href: 'https://www.xn--bcher-kva.example/' },
    ])
    for (const none of ['www.', 'www..', 'www.a', 'www.a.', 'awww.b.example', 'me@www.b.example', 'www./x'])
      expect(linksIn(none), none).toEqual([])
  })

  it.each([')', '])', '}.', '…', '(', '()', '_*', '?!'])('ends an address before a long run of %s', row => {
    const link = 'https://a.example/x'
    const [found] = linksIn(`${link}${row.repeat(2_000)} y`)
    expect(found?.startsWith(link)).toBe(true)
  })

  it.each([')', '])', '}.', '(', '()', 'x)'])('reads each character at most twice in a run of %s', row => {
    const text = `https://a.example/${row.repeat(5_000)}`
    let reads = 0
    const counted = new Proxy([...text], {
      get: (signs, key) => {
        if (key !== 'length') reads++
        return Reflect.get(signs, key)
      },
    })
    const length = addressLength(counted)
    expect(reads).toBeLessThanOrEqual(2 * text.length)
    expect(length).toBe(linksIn(text)[0]?.length)
  })

  it('is empty for an empty text', () => {
    expect(splitLinks('')).toEqual([])
  })
})

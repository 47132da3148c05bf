import { describe, expect, it } from 'vitest'
import { cleanDisplayName, looksLikeName, visibleOr } from './display-name.ts'

const textOf = (...codes: number[]) => String.fromCodePoint(...codes)

describe('display names', () => {
  it('of which nothing is visible are empty', () => {
    const blank = [
      0x200b, 0x3164, 0xad, 0x115f, 0xffa0, 0x2800, 0x1d159, 0xfe0f, 0xe0041, 0x301, 0xfeff, 0xa0, 0x85,
    ]
    const hidden = [...blank, 0x202e, 0x2066, 0x200e, 0x7f, 0, 0xfdd0, 0xfffc]
    for (const code of hidden) expect([code, cleanDisplayName(textOf(code, 0x20, code))]).toEqual([code, ''])
    expect(cleanDisplayName(textOf(...hidden))).toBe('')
  })

  it('are one line, which turns nothing around it', () => {
    expect(cleanDisplayName(' Anna\r\n\u2028\tMoss\u0085 ')).toBe('Anna Moss')
    expect(cleanDisplayName('Anna\u202eretsaM\u202c \u2067x\u2069')).toBe('AnnaretsaM x')
  })

  it('have as many marks on a character as a script may need', () => {
    const zalgo = `A${'\u0301'.repeat(40)}nna`
    expect(cleanDisplayName(zalgo)).toBe(`A${'\u0301'.repeat(4)}nna`)
    expect(cleanDisplayName(`ก${'\u0e49'.repeat(40)}`)).toBe(`ก${'\u0e49'.repeat(4)}`)
    const names = ['Nguyễn Thị Tuyết'.normalize('NFD'), 'בְּרֵאשִׁ֖ית', 'รู้', 'ཧཱུྃ']
    for (const name of names) expect(cleanDisplayName(name)).toBe(name)
  })

  it.each(['Анна', 'ענת 👋', '👩‍🏫', 'می‌خواهم', 'नि', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '.', 'O’Neil', '李'])(
    'keep what belongs to them: %s',
    name => {
      expect(cleanDisplayName(name)).toBe(name)
    },
  )

  it('look like those that people take for the same', () => {
    const copies = [
      'anna petrova',
      'Anna  Petrova',
      'Аnnа Реtrоvа',
      'Ａnna Petrova',
      'An\u200bna Petrova\u200e',
      'Änna Petrova',
      'Anna Petrova ✓',
      '👑 Anna Petrova.',
      'Anna-Petrova',
      'A\u20ddnna\u1dc4 Petrova\ufe20',
      'Anna\u{e0041}\ufe0f Petrova',
      '𝐀𝐧𝐧𝐚 𝑷𝒆𝒕𝒓𝒐𝒗𝒂',
      'Ⓐnna Ⓟetrova',
      '🅰nna 🅿etrova',
      'ᴀɴɴᴀ ᴘᴇᴛʀᴏᴠᴀ',
      'Ꭺnnɑ Ꮲetrova',
      'ΑΝΝΑ ΡΕΤRΟVΑ',
      'Anna Petrøva',
      'Аnnа҉ Petrova',
    ]
    for (const copy of copies) expect([copy, looksLikeName(copy, 'Anna Petrova')]).toEqual([copy, true])
    expect(looksLikeName('lI1', 'I1l')).toBe(true)
    expect(looksLikeName('Marnie VVest', 'Mamie West')).toBe(true)
    expect(looksLikeName('ΗANNA', 'Hanna')).toBe(true)
    for (const [one, other] of [
      ['!', '?'],
      ['नि', 'नी'],
      ['👑', '👩‍🏫'],
    ] as const)
      expect([one, looksLikeName(one, other)]).toEqual([one, false])
    expect(looksLikeName('Anna Petrov', 'Anna Petrova')).toBe(false)
    expect(looksLikeName('李', '王')).toBe(false)
    expect(looksLikeName('', '')).toBe(false)
  })
})

it('takes the other text where nobody could see anything of the first one, and cuts piles of marks of every kind', () => {
  expect([' x ', '\u200b', '', null, undefined].map(each => visibleOr(each, 'other'))).toEqual([
    'x',
    ...Array(4).fill('other'),
  ])
  expect(cleanDisplayName(`a${'\u0489'.repeat(50)}`)).toBe(`a${'\u0489'.repeat(4)}`)
  expect(cleanDisplayName(`a${'\u0300\u0301\u0302\u0303\u200c'.repeat(9)}b`)).toBe(
    'a\u0300\u0301\u0302\u0303b',
  )
})

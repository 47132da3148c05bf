import { execFileSync } from 'node:child_process'
import type { BoardElement } from '@lectern/protocol/control/client'
import { expect, it } from 'vitest'
import { documentOf } from './page-files.ts'

const NO_IMAGES = { fetch: async () => {}, load: async () => null }

/** A document with these texts on each of its pages. */
const written = (...pages: string[][]) =>
  documentOf(
    pages.map((texts, at) => ({
      page: { page_id: `page000${at}`, width: 1600, height: 900, background: { kind: 'squared' } },
      elements: texts.map(
        (text, index) =>
          ({
            ...{ element_id: `text-${index}`, version: 1, author_id: '1', z: index, kind: 'text' },
            data: { x: 100, y: 20 + index * 80, width: 1400, text, size: 40, color: '#000000' },
          }) as BoardElement,
      ),
    })),
    NO_IMAGES,
  )

/** Poppler marks the direction of lines. */
const read = (document: Buffer, ...options: string[]): string =>
  execFileSync('pdftotext', [...options, '-', '-'], { input: document, encoding: 'utf8' }).replace(
    /[\u202a-\u202e]/g,
    '',
  )

it.each([
  ['with ligatures', 'A difficult first office'],
  ['in Arabic', 'مرحبا بالعالم العربي'],
  ['in Hebrew', 'שלום עולם'],
  ['in Hebrew with points', 'שָׁלוֹם'],
  ['in Devanagari', 'नमस्ते दुनिया क्षत्रिय'],
  ['in Thai, for which there may be no font', 'สวัสดีชาวโลก'],
  ['in Vietnamese with combining marks', 'Tie\u0302\u0301ng Vie\u0323\u0302t, x̂'],
  ['of emoji', '😀 👩‍👩‍👧 👍🏽'],
  ['in Chinese', '漢字かな'],
  ['of mathematics', 'x² ∫ √2 ≤ π'],
  ['with signs of PDF', 'a) (b \\ <c> [d] %'],
])('finds texts %s in a document as they were written', async (_, text) => {
  const document = await written([text])
  for (const options of [[], ['-layout']]) expect(read(document, ...options)).toContain(text)
})

it('finds each word of lines in both directions, at its place', async () => {
  const document = await written(['مرحبا Hello 123 عالم', 'Hello مرحبا بالعالم 12, ok', 'left', 'يمين'])
  const text = read(document)
  for (const word of ['مرحبا', 'عالم', 'Hello', '123', 'مرحبا بالعالم', '12', 'ok'])
    expect(text).toContain(word)
  const at = [
    ...read(document, '-bbox').matchAll(/xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)".*>(.+)<\/word>/g),
  ]
  const place = (word: string, row: number) => {
    // It lists letters from left to right.
    const letters = /\p{Script=Arabic}/u.test(word) ? [...word].reverse().join('') : word
    const [, xMin, , xMax] =
      at.find(each => each[4] === letters && Math.abs(Number(each[2]) - row) < 40) ?? []
    return [Number(xMin), Number(xMax)] as [number, number]
  }
  expect(place('left', 190)[0]).toBeCloseTo(100, 0)
  expect(place('يمين', 270)[1]).toBeCloseTo(1500, 0)
  expect(place('مرحبا', 30)[0]).toBeGreaterThan(place('Hello', 30)[1])
  expect(place('Hello', 30)[0]).toBeGreaterThan(place('عالم', 30)[1])
  expect(place('مرحبا', 110)[0]).toBeGreaterThan(place('بالعالم', 110)[1])
  expect(place('بالعالم', 110)[0]).toBeGreaterThan(place('Hello', 110)[1])
})

it('finds the texts of each page, whose characters are more than one font can have, and changes no page without texts', async () => {
  const letters = Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
  const pages = Array.from({ length: 12 }, (_, at) =>
    at === 5 ? [] : [`page ${at + 1}`, letters.slice(at * 50, at * 50 + 50)],
  )
  const document = await written(...pages)
  const texts = read(document).split('\f')
  for (const [at, page] of pages.entries()) for (const text of page) expect(texts[at]).toContain(text)
  expect(texts[5]?.trim()).toBe('')
  const empty = await written([])
  expect(empty.toString('latin1').match(/startxref/g)).toHaveLength(1)
})

import { CONVERTED_PAGE_MAX_BYTES } from '@lectern/protocol'
import { expect, it } from 'vitest'
import { readLines } from './text-lines.ts'

const page = (lines: readonly string[]) =>
  `<page width="600" height="800">${lines
    .map(
      text =>
        `<line xMin="60" yMin="80" xMax="300" yMax="96"><word xMin="60" yMin="80" xMax="300" yMax="96">${text}</word></line>`,
    )
    .join('')}</page>`

it('reads the lines of a page and their boxes', () => {
  expect(readLines(page(['x &lt; 3', '\u0007']))).toEqual([{ text: 'x < 3', box: [100, 100, 500, 120] }])
})

it('reads no more of a page than the server accepts of it', () => {
  for (const letter of ['水', '&quot;', '😀']) {
    const lines = readLines(page(Array(3_000).fill(letter.repeat(600))))
    expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThan(CONVERTED_PAGE_MAX_BYTES - 1_000)
    expect(lines.length).toBeGreaterThan(300)
  }
})

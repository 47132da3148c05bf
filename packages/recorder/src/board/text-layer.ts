import { deflateSync } from 'node:zlib'
import { PdfUpdate } from './pdf-update.ts'
import type { WrittenWord } from './written-words.ts'

/** Of a font of type 3: codes have one byte. */
const CODES = 255
/** Poppler takes the size of such a font from this width of a glyph with this name. */
const GLYPH = 'm'
const GLYPH_WIDTH = 600

/**
 * The texts of a document of Skia, invisibly: Skia names no letters for glyphs that stand for several or for parts of one, such
 * as "fi" and most of Arabic. Its own glyphs are read as spaces then.
 */
export class TextLayer {
  readonly #fonts = new Fonts()
  /** The content of each page, compressed; null: it has no text. */
  readonly #pages: (Buffer | null)[] = []

  /** The next page, of this height. */
  async addPage(texts: AsyncIterable<WrittenWord[]>, height: number): Promise<void> {
    const lines: string[] = []
    for await (const words of texts) for (const word of words) lines.push(this.#fonts.show(word, height))
    this.#pages.push(lines.length === 0 ? null : deflateSync(lines.join('\n')))
  }

  /** The document of these pages with their texts. */
  addedTo(document: Buffer): Buffer {
    if (this.#pages.every(page => page === null)) return document
    const update = new PdfUpdate(document)
    for (const text of update.objects()) {
      const toUnicode = Number(/\/ToUnicode (\d+) 0 R/.exec(text)?.[1] ?? 0)
      if (toUnicode > 0) update.replaceStream(toUnicode, deflateSync(asSpaces(update.streamOf(toUnicode))))
    }
    const fonts = this.#fonts.addTo(update)
    for (const [index, number] of update.pages().entries()) {
      const content = this.#pages[index]
      if (!content) continue
      const page = update.textOf(number)
      const added = page.replace(/\/Contents (\d+ 0 R)/, `/Contents [${update.addStream(content)} 0 R $1]`)
      update.replace(
        number,
        added.includes('/Font <<')
          ? added.replace('/Font <<', `/Font <<${fonts} `)
          : added.replace('/Resources <<', `/Resources <</Font <<${fonts}>> `),
      )
    }
    return update.document()
  }
}

/** The map of a font that reads each of its glyphs as a space, also the one for what it does not have. */
const asSpaces = (map: string): string =>
  map
    .replace(/<(0+)> <F+>\nendcodespacerange/, '$&\n1 beginbfchar\n<$1> <0020>\nendbfchar')
    .replace(/(beginbfchar\n)([\s\S]*?)(endbfchar)/g, (_, begin, lines: string, end) =>
      [begin, lines.replace(/^(<\w+>) <\w+>$/gm, '$1 <0020>'), end].join(''),
    )
    .replace(/(beginbfrange\n)([\s\S]*?)(endbfrange)/g, (_, begin, lines: string, end) =>
      [
        begin,
        lines.replace(/^<(\w+)> <(\w+)> <\w+>$/gm, (_, from: string, to: string) => {
          const count = Number.parseInt(to, 16) - Number.parseInt(from, 16) + 1
          return `<${from}> <${to}> [${'<0020>'.repeat(count)}]`
        }),
        end,
      ].join(''),
    )

/** Fonts of empty glyphs, one for each character. */
class Fonts {
  readonly #indexOf = new Map<string, number>()

  /** Returns their names, for the resources of a page. */
  addTo(update: PdfUpdate): string {
    const glyph = update.addStream(deflateSync(`${GLYPH_WIDTH} 0 0 0 ${GLYPH_WIDTH} 1000 d1`))
    const all = [...this.#indexOf.keys()]
    const names: string[] = []
    for (let from = 0; from < all.length; from += CODES) {
      const characters = all.slice(from, from + CODES)
      const last = characters.length
      const map = update.addStream(deflateSync(toUnicode(characters)))
      const font = update.add(
        [
          '<</Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /Resources <<>>',
          `/CharProcs <</${GLYPH} ${glyph} 0 R>> /Encoding <</Type /Encoding /Differences [1 ${`/${GLYPH} `.repeat(last)}]>>`,
          `/FirstChar 1 /LastChar ${last} /Widths [${`${GLYPH_WIDTH} `.repeat(last)}] /ToUnicode ${map} 0 R>>`,
        ].join(' '),
      )
      names.push(`/Letters${from / CODES} ${font} 0 R`)
    }
    return names.join(' ')
  }

  /** A word is written by one operator where it can be: some readers begin a line with each. */
  show({ characters, x, y, width, size }: WrittenWord, height: number): string {
    const matrix = [(1_000 * width) / GLYPH_WIDTH / size, 0, 0, 1, x, height - y]
    const placed = matrix.map(each => Number(each.toFixed(4))).join(' ')
    const parts: { font: number; codes: string }[] = []
    for (const character of characters) {
      const index = this.#indexOf.get(character) ?? this.#indexOf.size
      this.#indexOf.set(character, index)
      const font = Math.floor(index / CODES)
      if (parts.at(-1)?.font !== font) parts.push({ font, codes: '' })
      ;(parts.at(-1) as { codes: string }).codes += hex(1 + (index % CODES), 2)
    }
    const shown = parts.map(({ font, codes }) => `/Letters${font} ${size} Tf <${codes}> Tj`)
    return `BT ${placed} Tm ${shown.join(' ')} ET`
  }
}

const toUnicode = (texts: readonly string[]): string =>
  [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CMapName /Letters def /CMapType 2 def',
    '1 begincodespacerange <00> <FF> endcodespacerange',
    // At most 100 are permitted at once.
    ...texts.map((text, at) => `1 beginbfchar <${hex(1 + at, 2)}> <${utf16(text)}> endbfchar`),
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')

const utf16 = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4)).join('')

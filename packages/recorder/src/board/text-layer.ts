import { deflateSync, inflateSync } from 'node:zlib'
import type { WrittenWord } from './written-words.ts'

/** How much of an object is read that is no stream: pages name all of their pictures. */
const OBJECT_BYTES_MAX = 4 * 1024 * 1024
/** Of a font of type 3: codes have one byte. */
const CODES = 255
/** Poppler takes the size of such a font from this width of a glyph with this name. */
const GLYPH = 'm'
const GLYPH_WIDTH = 600

/**
 * The texts of a document of Skia, invisibly: Skia names no letters for glyphs that stand for several or for parts of one, such
 * as "fi" and most of Arabic. Its own glyphs are read as spaces then. The document grows by an incremental update (ISO
 * 32000-1, 7.5.6).
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
    const update = new Update(document)
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
  addTo(update: Update): string {
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

/** Objects that are added to a document, or replace some of it. It was written by Skia, in a way that is easy to read. */
class Update {
  readonly #document: Buffer
  readonly #offsets: number[]
  readonly #trailer: string
  readonly #former: number
  readonly #parts: Buffer[]
  readonly #changed = new Map<number, number>()
  #length: number

  constructor(document: Buffer) {
    this.#document = document
    const end = document.subarray(-2_048).toString('latin1')
    this.#former = Number(/startxref\s+(\d+)/.exec(end)?.[1])
    this.#trailer = /trailer\s+<<([\s\S]*?)>>\s+startxref/.exec(end)?.[1] ?? ''
    const table = document.subarray(this.#former).toString('latin1')
    this.#offsets = [...table.matchAll(/^(\d{10}) \d{5} [fn]/gm)].map(([, offset]) => Number(offset))
    this.#parts = [document, Buffer.from('\n')]
    this.#length = document.length + 1
  }

  /** The dictionaries of all objects. */
  *objects(): Generator<string> {
    const { length } = this.#offsets
    for (let number = 1; number < length; number++) yield this.textOf(number)
  }

  /** The dictionary of an object. */
  textOf(number: number): string {
    const [from, to] = this.#bounds(number)
    return this.#document.subarray(from, to).toString('latin1').trim()
  }

  streamOf(number: number): string {
    const [, to] = this.#bounds(number)
    const length = Number(/\/Length (\d+)/.exec(this.textOf(number))?.[1])
    const from = this.#document.indexOf('\n', to) + 1
    return inflateSync(this.#document.subarray(from, from + length)).toString('latin1')
  }

  /** The numbers of the pages, in their order. */
  pages(): number[] {
    const root = Number(/\/Root (\d+) 0 R/.exec(this.#trailer)?.[1])
    const all = (number: number): number[] => {
      const kids = /\/Kids \[([^\]]*)\]/.exec(this.textOf(number))?.[1]
      return kids === undefined
        ? [number]
        : [...kids.matchAll(/(\d+) 0 R/g)].flatMap(([, kid]) => all(Number(kid)))
    }
    return all(Number(/\/Pages (\d+) 0 R/.exec(this.textOf(root))?.[1]))
  }

  add(text: string | Buffer): number {
    const number = this.#offsets.push(0) - 1
    this.replace(number, text)
    return number
  }

  /** Its data is compressed. */
  addStream(data: Buffer): number {
    return this.add(stream(data))
  }

  replaceStream(number: number, data: Buffer): void {
    this.replace(number, stream(data))
  }

  replace(number: number, text: string | Buffer): void {
    this.#changed.set(number, this.#length)
    for (const part of [`${number} 0 obj\n`, text, '\nendobj\n']) this.#append(Buffer.from(part))
  }

  document(): Buffer {
    const from = this.#length
    const entries = [...this.#changed].sort(([a], [b]) => a - b)
    const table = entries.map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`)
    const trailer = this.#trailer.replace(/\/Size \d+/, `/Size ${this.#offsets.length}`)
    this.#append(
      Buffer.from(
        `xref\n${table.join('')}trailer\n<<${trailer} /Prev ${this.#former}>>\nstartxref\n${from}\n%%EOF\n`,
      ),
    )
    return Buffer.concat(this.#parts)
  }

  #append(part: Buffer): void {
    this.#parts.push(part)
    this.#length += part.length
  }

  /** Of what is between the number of an object and its stream, or its end. */
  #bounds(number: number): [number, number] {
    const at = this.#offsets[number] as number
    const from = this.#document.indexOf('obj', at) + 3
    const part = this.#document.subarray(from, from + OBJECT_BYTES_MAX)
    const ends = ['stream', 'endobj'].map(word => part.indexOf(word)).filter(end => end >= 0)
    return [from, from + Math.min(...ends)]
  }
}

function stream(data: Buffer): Buffer {
  const head = `<</Filter /FlateDecode /Length ${data.length}>> stream\n`
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')])
}

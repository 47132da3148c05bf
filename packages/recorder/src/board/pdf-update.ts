import { inflateSync } from 'node:zlib'

/** How much of an object is read that is no stream: pages name all of their pictures. */
const OBJECT_BYTES_MAX = 4 * 1024 * 1024

/**
 * Objects that are added to a document, or replace some of it: an incremental update (ISO 32000-1, 7.5.6). The document was
 * written by Skia, in a way that is easy to read.
 */
export class PdfUpdate {
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

/** Builds PDF documents, also such as no program would write. */

export interface PageOptions {
  /** In points. */
  width?: number
  height?: number
  /** The stream of what is drawn. */
  content?: string
  /** More entries of the page. */
  more?: string
}

interface DocumentOptions {
  /** More entries of the catalogue. */
  catalogue?: string
  /** More objects, from the number 100 on. */
  objects?: readonly string[]
  /** More entries of the trailer. */
  trailer?: string
}

const FIRST_EXTRA = 100

export const textAt = (text: string, x = 72, y = 400) => `BT /F1 24 Tf ${x} ${y} Td (${text}) Tj ET\n`

/** A document with these pages. */
export function pdf(pages: readonly PageOptions[], options: DocumentOptions = {}): Buffer {
  const { catalogue = '', objects = [], trailer = '' } = options
  const numbers = pages.map((_, i) => 10 + 2 * i)
  const bodies = new Map<number, string>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`],
    [2, `<< /Type /Pages /Count ${pages.length} /Kids [${numbers.map(n => `${n} 0 R`).join(' ')}] >>`],
    [3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
  ])
  for (const [
    i,
    { width = 842, height = 595, content = textAt(`Page ${i + 1}`), more = '' },
  ] of pages.entries()) {
    const number = 10 + 2 * i
    const resources = more.includes('/Resources') ? '' : '/Resources << /Font << /F1 3 0 R >> >>'
    bodies.set(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${number + 1} 0 R ${resources} ${more} >>`,
    )
    bodies.set(number + 1, stream('', content))
  }
  const first = Math.max(FIRST_EXTRA, 10 + 2 * pages.length)
  for (const [i, body] of objects.entries()) bodies.set(first + i, body)
  return written(bodies, trailer)
}

export const stream = (entries: string, content: string) =>
  `<< ${entries} /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`

function written(bodies: Map<number, string>, trailer: string): Buffer {
  let text = '%PDF-1.7\n'
  const offsets = new Map<number, number>()
  for (const [number, body] of [...bodies].sort(([a], [b]) => a - b)) {
    offsets.set(number, text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const size = Math.max(...bodies.keys()) + 1
  const rows = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number)
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

import type { TextLine } from '@lectern/protocol'

const LINES_MAX = 2_000
const LINE_MAX = 500
/**
 * Per page: the server refuses the description of a page beyond two megabytes, and the whole document would fail with
 * it.
 */
const CHARACTERS_MAX = 400_000
const THOUSAND = 1000

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,5}));/gi, (all, decimal, hex, name) => {
    if (name) return ENTITIES[name] ?? all
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

/** Without control characters, which a text of a page may contain. */
const cleaned = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()

/** The lines of a page in the XHTML of `pdftotext -bbox-layout`, in reading order, with their boxes in thousandths of the page. */
export function readLines(xhtml: string): TextLine[] {
  const page = /<page width="([\d.]+)" height="([\d.]+)"/.exec(xhtml)
  const [width, height] = [Number(page?.[1]), Number(page?.[2])]
  if (!(width > 0 && height > 0)) return []
  const lines: TextLine[] = []
  let left = CHARACTERS_MAX
  const line = /<line xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([\s\S]*?)<\/line>/g
  for (const [, xMin, yMin, xMax, yMax, inner = ''] of xhtml.matchAll(line)) {
    const words = [...inner.matchAll(/<word [^>]*>([^<]*)<\/word>/g)].map(([, word = '']) => unescaped(word))
    const text = Array.from(cleaned(words.join(' ')))
      .slice(0, LINE_MAX)
      .join('')
    if (text === '') continue
    const box = [part(xMin, width), part(yMin, height), part(xMax, width), part(yMax, height)]
    left -= text.length
    if (left < 0) break
    lines.push({ text, box })
    if (lines.length === LINES_MAX) break
  }
  return lines
}

const part = (value: string | undefined, whole: number) =>
  Math.min(THOUSAND, Math.max(0, Math.round((Number(value) / whole) * THOUSAND)))

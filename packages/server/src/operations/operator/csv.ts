import { OperatorError } from './checks.ts'

export interface CsvRow {
  /** The line of the file where the row begins, from 1. */
  line: number
  cells: string[]
}

/** Comma-separated values (RFC 4180), also with another separator, or ends of lines. Throws OperatorError if a quote is not closed. */
export function parseCsv(text: string, separator: string): CsvRow[] {
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, cells: [] }
  let cell = ''
  let isQuoted = false
  let line = 1
  const endRow = () => {
    row.cells.push(cell)
    rows.push(row)
    cell = ''
    row = { line: line + 1, cells: [] }
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (char === '"') {
      if (isQuoted && text[i + 1] === '"') {
        cell += '"'
        i++
      } else isQuoted = !isQuoted
    } else if (!isQuoted && char === separator) {
      row.cells.push(cell)
      cell = ''
    } else if (!isQuoted && isLineEnd(text, i)) endRow()
    else if (isQuoted || char !== '\r') cell += char
    if (isLineEnd(text, i)) line++
  }
  if (isQuoted) throw new OperatorError(`The quotation of line ${row.line} has no end.`)
  if (cell !== '' || row.cells.length > 0) endRow()
  return rows
}

/** Lines end with LF, CRLF, or as in files of old Macintosh programs with CR. */
const isLineEnd = (text: string, i: number): boolean =>
  text[i] === '\n' || (text[i] === '\r' && text[i + 1] !== '\n')

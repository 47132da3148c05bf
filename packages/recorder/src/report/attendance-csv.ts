import type { AttendanceRow } from './attendance-report.ts'

/** Spreadsheets take a file without it for one in the encoding of the system. */
const BYTE_ORDER_MARK = '\ufeff'

const COLUMNS: [name: string, cell: (row: AttendanceRow) => string | number][] = [
  ['name', row => row.name],
  ['role', row => row.role],
  ['user_id', row => row.user_id],
  ['joined_at', row => isoTime(row.joined_at_ms)],
  ['left_at', row => (row.left_at_ms === null ? '' : isoTime(row.left_at_ms))],
  ['joins', row => row.stays.length],
  ['present_seconds', row => seconds(row.present_ms)],
  ['talk_seconds', row => seconds(row.talk_ms)],
  ['raised_hands', row => row.hand_count],
  ['raised_hand_seconds', row => seconds(row.hand_ms)],
  ['external_id', row => row.external_id ?? ''],
]

/** The attendance for spreadsheets: RFC 4180, UTF-8 with a byte order mark, times in UTC, one line for each person. */
export function attendanceCsv(rows: AttendanceRow[]): string {
  const lines = rows.map(row => COLUMNS.map(([, cell]) => quoted(String(cell(row)))))
  const head = COLUMNS.map(([name]) => quoted(name))
  return BYTE_ORDER_MARK + [head, ...lines].map(cells => `${cells.join(',')}\r\n`).join('')
}

/**
 * Names are chosen by guests. A spreadsheet executes a cell that begins with one of these characters as a formula, unless
 * an apostrophe makes it a text; control characters would break the line or hide such a beginning.
 */
function quoted(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
  const safe = /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(plain) ? `'${plain}` : plain
  return `"${safe.replaceAll('"', '""')}"`
}

const isoTime = (ms: number) => new Date(ms).toISOString()
const seconds = (ms: number) => Math.round(ms / 1000)

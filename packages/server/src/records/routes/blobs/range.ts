import type { Span } from '../../ports.ts'

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i

/**
 * Parses a Range header: `bytes=<a>-<b>`, `bytes=<a>-` or `bytes=-<n>`. Null if it is malformed, names several ranges, or
 * starts beyond the end of the file: all three are 416 (rule FILE-3).
 */
export function readRange(header: string, size: number): Span | null {
  const [, first = '', last = ''] = ONE_RANGE.exec(header.trim()) ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Number(last)
  return start <= end && start < size ? { start, end: Math.min(end, size - 1) } : null
}

/** A page of events or recordings: transcripts and lists of files are long. */
export const PAGE_BYTES = 8 * 1024 * 1024

/** The first rows that have that many bytes together at most, but at least one. */
export function fitting<T extends { bytes: number }>(rows: readonly T[], maxBytes: number): T[] {
  let total = 0
  const after = rows.findIndex(({ bytes }, index) => {
    total += Number(bytes)
    return total > maxBytes && index > 0
  })
  return after < 0 ? [...rows] : rows.slice(0, after)
}

/** The month of that time and those before it, in UTC, as `2030-09`. */
export function recentMonths(nowMs: number, count: number): string[] {
  const now = new Date(nowMs)
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

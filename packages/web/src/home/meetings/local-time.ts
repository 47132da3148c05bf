/** Of a field of the type datetime-local, in the time zone of the browser. */
export function toLocalTime(ms: number | null): string {
  if (ms === null) return ''
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

/** As an ISO 8601 time in UTC; null for an empty field. */
export const fromLocalTime = (text: string): string | null =>
  text === '' ? null : new Date(text).toISOString()

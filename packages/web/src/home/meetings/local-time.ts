/** The value of a field of the type datetime-local, in the time zone of the browser. */
export function toLocalTime(ms: number | null): string {
  if (ms === null) return ''
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

/**
 * Unix milliseconds; null for an empty field. A field that still shows the time before stands for it: it shows no seconds, and
 * the same time twice when clocks are set back.
 */
export function fromLocalTime(text: string, before: number | null): number | null {
  if (text === toLocalTime(before)) return before
  return text === '' ? null : new Date(text).getTime()
}

export const toIsoTime = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString()

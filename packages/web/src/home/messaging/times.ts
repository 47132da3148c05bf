const DAY_MS = 86_400_000

/** Days since 1970 on the user's calendar. The Swedish date format is the one of ISO 8601. */
const dayOf = (at: number, timeZone?: string) =>
  Date.parse(new Intl.DateTimeFormat('sv', { timeZone }).format(at)) / DAY_MS

/** In a list: the time of today, the weekday of the last days, or the date. */
export function formatListTime(at: number, now: number, locale: string, timeZone?: string): string {
  const days = dayOf(now, timeZone) - dayOf(at, timeZone)
  const options: Intl.DateTimeFormatOptions =
    days <= 0
      ? { timeStyle: 'short' }
      : days < 7
        ? { weekday: 'short' }
        : { day: 'numeric', month: 'short', ...(days > 300 && { year: 'numeric' }) }
  return new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at)
}

/** Above the messages of a day: "today", "yesterday", or the date. */
export function formatDay(at: number, now: number, locale: string, timeZone?: string): string {
  const days = dayOf(at, timeZone) - dayOf(now, timeZone)
  if (days > -2 && days <= 0) {
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')
    return relative.charAt(0).toLocaleUpperCase(locale) + relative.slice(1)
  }
  const options = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const year = days < -300 ? ({ year: 'numeric' } as const) : {}
  return new Intl.DateTimeFormat(locale, { ...options, ...year, timeZone }).format(at)
}

export const formatTime = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at)

/** "21 Nov 2026, 14:30" in the user's language. */
export const formatDate = (atMs: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs)

/** "14:30" in the user's language. */
export const formatTime = (atMs: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(atMs)

/** The time of day, with the date unless it is today. */
export function formatMessageTime(at: number, now: number, locale: string, timeZone?: string): string {
  const day = new Intl.DateTimeFormat('sv', { timeZone })
  const today = day.format(at) === day.format(now)
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    timeStyle: 'short',
    ...(!today && { dateStyle: 'medium' }),
  })
  return format.format(at)
}

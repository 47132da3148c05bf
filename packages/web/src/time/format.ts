/** How times are formatted for the user. Intl has the plurals, orders and names of every language. */
export interface FormatContext {
  locale: string
  /** Default: the user's own. */
  timeZone?: string
}

/** A scheduled time, formatted. */
export interface When {
  date: string
  /** Start and end, or the only one that is known. */
  time: string
  known: 'both' | 'start' | 'end'
  /** Date and time in a few characters; today's date is omitted. */
  brief: string
  /** Null when it is unknown or meaningless. */
  duration: string | null
  zone: string
  leaf: { month: string; day: string; weekday: string }
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

export function describeWhen(
  start: number | null,
  end: number | null,
  now: number,
  context: FormatContext,
): When | null {
  const first = start ?? end
  if (first === null) return null
  const last = end ?? first
  const sameYear =
    yearOf(first, context) === yearOf(now, context) && yearOf(last, context) === yearOf(now, context)
  const date = dateFormat(context, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!sameYear && { year: 'numeric' }),
  })
  const time = dateFormat(context, { timeStyle: 'short' })
  const sameDay = dayNumber(first, context) === dayNumber(last, context)
  return {
    date: sameDay ? date.format(first) : date.formatRange(first, last),
    // formatRange would repeat the dates when the meeting runs past midnight.
    time:
      first === last
        ? time.format(first)
        : sameDay
          ? time.formatRange(first, last)
          : `${time.format(first)} – ${time.format(last)}`,
    brief: formatBriefly(first, last, now, sameYear, context),
    known: start === null ? 'end' : end === null ? 'start' : 'both',
    duration: start !== null && end !== null ? describeDuration(end - start, context) : null,
    zone: describeZone(first, context),
    leaf: {
      month: dateFormat(context, { month: 'short' }).format(first),
      day: dateFormat(context, { day: 'numeric' }).format(first),
      weekday: dateFormat(context, { weekday: 'short' }).format(first),
    },
  }
}

function formatBriefly(
  first: number,
  last: number,
  now: number,
  sameYear: boolean,
  context: FormatContext,
): string {
  const today = dayNumber(now, context)
  const isToday = dayNumber(first, context) === today && dayNumber(last, context) === today
  const format = dateFormat(context, {
    ...(!isToday && { day: 'numeric', month: 'short', ...(!sameYear && { year: 'numeric' }) }),
    hour: 'numeric',
    minute: '2-digit',
  })
  return first === last ? format.format(first) : format.formatRange(first, last)
}

/** "in 25 minutes", "3 hours ago", "tomorrow". */
export function describeDistance(at: number, now: number, context: FormatContext): string {
  const relative = new Intl.RelativeTimeFormat(context.locale, { numeric: 'auto' })
  const sign = at < now ? -1 : 1
  // Whole minutes as on a wall clock: the current minute is not past yet.
  const away = Math.round(Math.abs(at - now) / 1000) / 60
  const minutes = Math.max(1, sign > 0 ? Math.ceil(away) : Math.floor(away))
  if (minutes < 90) return relative.format(sign * minutes, 'minute')
  if (minutes < 24 * 60) return relative.format(sign * Math.round(minutes / 60), 'hour')
  const days = dayNumber(at, context) - dayNumber(now, context)
  if (Math.abs(days) < 60) return relative.format(days, 'day')
  if (Math.abs(days) < 700) return relative.format(Math.round(days / 30.44), 'month')
  return relative.format(Math.round(days / 365.25), 'year')
}

/** "in 12 seconds", for a countdown. */
export function describeCountdown(until: number, now: number, context: FormatContext): string {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000))
  if (seconds > 90) return describeDistance(until, now, context)
  return new Intl.RelativeTimeFormat(context.locale, { numeric: 'always' }).format(seconds, 'second')
}

/** Up to a day; longer durations are not counted in hours. */
export function describeDuration(ms: number, { locale }: FormatContext): string | null {
  const minutes = Math.round(ms / MINUTE)
  if (minutes <= 0 || minutes > 24 * 60) return null
  const unit = (value: number, name: 'hour' | 'minute') =>
    value > 0
      ? [new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)]
      : []
  return [...unit(Math.floor(minutes / 60), 'hour'), ...unit(minutes % 60, 'minute')].join(' ')
}

/** "Central European Summer Time (GMT+2)" */
function describeZone(at: number, context: FormatContext): string {
  const name = zoneName(at, context, 'long')
  const offset = zoneName(at, context, 'shortOffset')
  return name === offset ? name : `${name} (${offset})`
}

function zoneName(at: number, context: FormatContext, style: 'long' | 'shortOffset'): string {
  const parts = dateFormat(context, { timeZoneName: style }).formatToParts(at)
  return parts.find(part => part.type === 'timeZoneName')?.value ?? ''
}

const yearOf = (at: number, context: FormatContext) => dateFormat(context, { year: 'numeric' }).format(at)

/** Days since 1970 on the user's calendar. */
function dayNumber(at: number, { timeZone }: FormatContext): number {
  // The Swedish date format is the one of ISO 8601.
  return Date.parse(dateFormat({ locale: 'sv', timeZone }, {}).format(at)) / DAY
}

function dateFormat(
  { locale, timeZone }: FormatContext,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone })
}

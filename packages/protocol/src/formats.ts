/**
 * String formats that JSON Schema does not define. The names MUST NOT be in ajv-formats, which takes precedence.
 */
export const formats = {
  /** Text that every database and client supports: well-formed Unicode without NUL. */
  text: isText,
  /** A person's external_id: 1 to 255 bytes of UTF-8 (docs/partner-api.md#limits). */
  'person-id': (value: string) => isText(value) && value !== '' && byteLength(value) <= 255,
  /** ISO 8601 date and time with a timezone, e.g. `2026-09-01T10:00:00+03:00` (docs/partner-api.md#request-fields). */
  'zoned-time': isIsoTime,
}

function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

const encoder = new TextEncoder()
const byteLength = (value: string) => encoder.encode(value).length

const ISO_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/i

const DAY_MINUTES = 24 * 60

function isIsoTime(value: string): boolean {
  const match = ISO_TIME.exec(value)
  if (!match) return false
  const [year, month, day, hour, minute, second, fraction, zoneHour, zoneMinute] = match
    .slice(1)
    .map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const lastDay = month >= 1 && month <= 12 ? daysIn(year, month) : 0
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && fraction === 0 // ISO 8601
  // RFC 3339, section 5.7: in UTC, a leap second follows 23:59:59.
  const offset = zoneHour * 60 + (Object.is(zoneHour, -0) || zoneHour < 0 ? -zoneMinute : zoneMinute)
  const isLeapSecond =
    second === 60 && (hour * 60 + minute - offset + 2 * DAY_MINUTES + 1) % DAY_MINUTES === 0
  return (
    day >= 1 &&
    day <= lastDay &&
    (hour <= 23 || isEndOfDay) &&
    minute <= 59 &&
    (second <= 59 || isLeapSecond) &&
    Math.abs(zoneHour) <= 23 &&
    zoneMinute <= 59
  )
}

// Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not.
const daysIn = (year: number, month: number) =>
  new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate()

/** Milliseconds since 1970 of a valid `zoned-time`; Date.parse alone refuses some of its forms. */
export function isoTimeToMs(value: string): number {
  const [, date, time, second = ':00', fraction = '', zone] =
    /^(.{10})T(\d{2}:\d{2})(:\d{2})?([.,]\d+)?(.+)$/i.exec(value) ?? []
  const offset = zone?.replace(/^([+-]\d{2}):?(\d{2})?$/, (_, h, m = '00') => `${h}:${m}`)
  const isLeapSecond = second === ':60'
  const text = `${date}T${time}${isLeapSecond ? ':59' : second}${fraction.replace(',', '.')}${offset}`
  return Date.parse(text.toUpperCase()) + (isLeapSecond ? 1000 : 0)
}

const [FIRST_MS, LAST_MS] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')]

/**
 * The time in UTC, as `2026-09-01T07:00:00.000Z`. Years have four digits, or other parsers fail: of a time whose timezone leads
 * beyond the years 0 to 9999, the first or the last one.
 */
export const formatUtc = (ms: number): string =>
  new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString()

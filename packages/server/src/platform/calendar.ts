import { formatUtc } from '@lectern/protocol'

/** An event as calendar programs show it. */
export interface CalendarEvent {
  /** Stays the same for ever. */
  uid: string
  /** Grows with every change. */
  sequence: number
  changedAtMs: number
  startsAtMs: number
  endsAtMs: number | null
  title: string
  description: string | null
  url: string
  isCancelled: boolean
}

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

const LINE_BYTES = 75

/** Writes events in iCalendar format (RFC 5545). Equal events give equal bytes. */
export function formatCalendar(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lectern//Lectern//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(name)}`,
    ...events.flatMap(formatEvent),
    'END:VCALENDAR',
  ]
  return lines.map(line => `${foldLine(line)}\r\n`).join('')
}

/** An end has to be later than the start, of whole seconds. */
const endOf = ({ startsAtMs, endsAtMs }: CalendarEvent): string[] =>
  endsAtMs !== null && formatTime(endsAtMs) > formatTime(startsAtMs) ? [`DTEND:${formatTime(endsAtMs)}`] : []

const formatEvent = (event: CalendarEvent): string[] => [
  'BEGIN:VEVENT',
  `UID:${event.uid}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTAMP:${formatTime(event.changedAtMs)}`,
  `LAST-MODIFIED:${formatTime(event.changedAtMs)}`,
  `DTSTART:${formatTime(event.startsAtMs)}`,
  ...endOf(event),
  `SUMMARY:${escapeText(event.title)}`,
  // Programs that do not show URL make the one in the description a link.
  `DESCRIPTION:${escapeText([event.description, event.url].filter(Boolean).join('\n\n'))}`,
  `LOCATION:${escapeText(event.url)}`,
  `URL:${event.url}`,
  `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
  'END:VEVENT',
]

/** `20260901T070000Z`. */
const formatTime = (ms: number): string =>
  formatUtc(ms)
    .replace(/\.\d{3}/, '')
    .replace(/[-:]/g, '')

// Control characters other than tabs and line breaks must not occur in a calendar.
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu

const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')

/** Lines have at most 75 octets; a character is never divided, which programs would show as two broken ones. */
function foldLine(line: string): string {
  let folded = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > LINE_BYTES) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}

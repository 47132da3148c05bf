import { formatSize } from '../../format-size.ts'

const DAY_S = 86_400

/** Quotes a text of spaces, which an external id may be, so that its row is not empty. */
export const visibleText = (text: string) => (text !== '' && text.trim() === '' ? `“${text}”` : text)

/** Times, sizes and numbers of a language. */
export function createFormat(locale: string) {
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' })
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const unit = (value: number, name: string, digits = 1) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value)
  return {
    /** Formats Unix milliseconds. */
    time: (ms: number) => dateTime.format(ms),
    clock: (ms: number) => clock.format(ms),
    number: (value: number) => number.format(value),
    percent: (value: number) => percent.format(value / 100),
    bytes: (bytes: number) => formatSize(bytes, locale),
    bitRate: (bps: number) =>
      bps >= 1e6 ? unit(bps / 1e6, 'megabit-per-second') : unit(bps / 1e3, 'kilobit-per-second'),
    milliseconds: (ms: number) => unit(ms, 'millisecond'),
    /** In its two greatest units, e.g. "2 hr 5 min". */
    duration: (ms: number) => {
      const seconds = Math.round(ms / 1000)
      const parts = [
        [Math.floor(seconds / DAY_S), 'day'],
        [Math.floor(seconds / 3600) % 24, 'hour'],
        [Math.floor(seconds / 60) % 60, 'minute'],
        [seconds % 60, 'second'],
      ] as const
      const first = parts.findIndex(([value]) => value > 0)
      return parts
        .slice(first < 0 ? parts.length - 1 : first)
        .slice(0, 2)
        .filter(([value], index) => value > 0 || index === 0)
        .map(([value, name]) => unit(value, name, 0))
        .join(' ')
    },
  }
}

export type Format = ReturnType<typeof createFormat>

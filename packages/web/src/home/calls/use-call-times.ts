import type { CallInfo } from '@lectern/protocol/control/client'
import { durationOf } from '../../calls/facts.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { describeDistance } from '../../time/format.ts'
import { useServerTime } from '../../time/use-server-time.ts'

/** When a call was and how long, as the user reads it. */
export function useCallTimes(call: CallInfo): { when: string; exactly: string; duration: string | null } {
  const { locale } = useTexts()
  const now = useServerTime()
  const ms = durationOf(call)
  return {
    when: describeDistance(call.created_at_ms, Math.max(now, call.created_at_ms), { locale }),
    exactly: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(
      call.created_at_ms,
    ),
    duration: ms === null ? null : describeLength(ms, locale),
  }
}

/** "12 min", "1 hr 5 min", "40 sec" */
function describeLength(ms: number, locale: string): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
  if (seconds < 60) return unit(seconds, 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return unit(minutes, 'minute')
  const rest = minutes % 60
  return [unit(Math.floor(minutes / 60), 'hour'), ...(rest > 0 ? [unit(rest, 'minute')] : [])].join(' ')
}

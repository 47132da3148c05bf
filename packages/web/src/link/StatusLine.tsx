import { shortened } from '@lectern/common'
import { useModeratorTerm } from '../room/moderator-term.ts'
import { useTexts } from '../texts/use-texts.ts'
import { describeDistance, describeWhen } from '../time/format.ts'
import { useServerTime } from '../time/use-server-time.ts'
import type { Invitation } from './invitation.ts'
import styles from './StatusLine.module.css'
import { type Timing, timingOf } from './timing.ts'

/** So that the end of the sentence is in view, too. */
const NAME_LETTERS_MAX = 20

/** Whether the meeting is in progress, and how that relates to its schedule, or on a small window the schedule itself. */
export function StatusLine({ invitation }: { invitation: Invitation }) {
  const { t, locale } = useTexts()
  const now = useServerTime()
  const timing = timingOf(invitation, now)
  const when = describeWhen(invitation.startsAt, invitation.endsAt, now, { locale })
  const status = statusOf(timing)
  const hint = useHint(timing)
  const inside = useInside(invitation)
  const moderator = useModeratorTerm()
  return (
    <div className={styles.line}>
      <p className={`${styles.pill} ${styles[status]}`}>
        <span className={styles.words}>{inside ?? t(`status.${status}`, moderator)}</span>
      </p>
      {hint && <p className={styles.hint}>{hint}</p>}
      {when && <p className={styles.when}>{when.brief}</p>}
    </div>
  )
}

function statusOf(timing: Timing): 'live' | 'scheduled' | 'empty' {
  switch (timing.is) {
    case 'live':
    case 'live-until':
    case 'overtime':
      return 'live'
    case 'ahead':
    case 'starting':
      return 'scheduled'
    case 'due':
    case 'over':
    case 'anytime':
      return 'empty'
  }
}

/** The people inside, in words: "Anna is here". Null when they are not known. */
function useInside({ live, inside }: Invitation): string | null {
  const { t } = useTexts()
  if (!live || !inside) return null
  const [name, second] = inside.names.map(name => isolate(shortened(name, NAME_LETTERS_MAX)))
  const count = inside.count - 2
  if (second === undefined) return inside.count === 1 ? t('inside.one', { name }) : null
  return count > 0 ? t('inside.more', { name, second, count }) : t('inside.two', { name, second })
}

/** In the direction of its letters, which is not that of the sentence. */
const isolate = (name: string) => `\u2068${name}\u2069`

function useHint(timing: Timing): string | null {
  const { t, locale } = useTexts()
  const now = useServerTime()
  if (timing.is === 'anytime' || timing.is === 'live') return null
  if ('at' in timing) {
    return t(`timing.${timing.is}`, { when: describeDistance(timing.at, now, { locale }) })
  }
  return t(`timing.${timing.is}`)
}

import { useTexts } from '../texts/use-texts.ts'
import { describeWhen, type When } from '../time/format.ts'
import styles from './WhenFact.module.css'

/** The scheduled time, as a calendar leaf and in words; nothing when there is none. */
export function WhenFact({ startsAt, endsAt }: { startsAt: number | null; endsAt: number | null }) {
  const { t, locale } = useTexts()
  const when = describeWhen(startsAt, endsAt, Date.now(), { locale })
  if (!when) return null
  return (
    <section className={styles.when} aria-label={t('invitation.time')}>
      <div className={styles.leaf} aria-hidden="true">
        <span className={styles.month}>{when.leaf.month}</span>
        <span className={styles.day}>{when.leaf.day}</span>
        <span className={styles.weekday}>{when.leaf.weekday}</span>
      </div>
      <div>
        <p className={styles.date}>{when.date}</p>
        <p className={styles.time}>
          <span>
            <Time when={when} />
          </span>{' '}
          {when.duration && <span className={styles.duration}>{when.duration}</span>}
        </p>
        <p className={styles.zone}>{t('invitation.zone', { zone: when.zone })}</p>
      </div>
    </section>
  )
}

function Time({ when: { known, time } }: { when: When }) {
  const { t } = useTexts()
  switch (known) {
    case 'both':
      return time
    case 'start':
      return t('invitation.from', { time })
    case 'end':
      return t('invitation.until', { time })
  }
}

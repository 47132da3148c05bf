import { useEffect, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import type { ServerClock } from '../server-clock.ts'
import { formatElapsed, LAST_MINUTES, minutesLeft } from './clock.ts'
import styles from './RoomHeader.module.css'

interface Props {
  clock: ServerClock
  startedAt: number
  /** Null: not known. */
  endsAt: number | null
}

/** How long the meeting has lasted, and how long it still lasts. Screen readers read it on request. */
export function Clock({ clock, startedAt, endsAt }: Props) {
  const { t } = useTexts()
  const [now, setNow] = useState(clock.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), 1_000)
    return () => clearInterval(timer)
  }, [clock])
  const minutes = endsAt === null ? null : minutesLeft(endsAt, now)
  const isShort = minutes !== null && minutes <= LAST_MINUTES
  return (
    <p
      role="timer"
      className={isShort ? styles.short : styles.clock}
      data-ends={minutes !== null || undefined}
    >
      <bdi className={styles.elapsed}>{formatElapsed(now - startedAt)}</bdi>
      {minutes !== null && (
        <>
          {/* Not in the time, whose direction is its own. */}
          <span className={styles.dot} aria-hidden="true">
            ·
          </span>
          <span>{t('bar.left', { minutes })}</span>
        </>
      )}
    </p>
  )
}

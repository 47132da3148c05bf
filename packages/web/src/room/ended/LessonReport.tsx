import { Clapperboard } from 'lucide-react'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { describeDuration } from '../../time/format.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import styles from './LessonReport.module.css'
import type { LessonSummary } from './lesson-log.ts'

interface Props {
  lesson: LessonSummary
  /** This user has a page of recordings. */
  hasRecordings: boolean
}

/** The report for the moderator after the lesson: its recording, and who attended. */
export function LessonReport({ lesson: { others, wasRecorded }, hasRecordings }: Props) {
  const { t, locale } = useTexts()
  const moderator = useModeratorTerm()
  return (
    <>
      {wasRecorded && (
        <p className={styles.recording}>
          <Clapperboard aria-hidden="true" />
          <span>
            {t('lessonEnd.recording')}{' '}
            {hasRecordings && <Link href="/recordings">{t('lessonEnd.recordings')}</Link>}
          </span>
        </p>
      )}
      {others.length > 0 && (
        <details className={styles.attendance}>
          <summary>{t('lessonEnd.attendance')}</summary>
          <p className={styles.note}>{t('lessonEnd.attendanceNote', moderator)}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard, too */}
          <ul className={styles.people} tabIndex={0}>
            {others.map(({ userId, name, presentMs }) => (
              <li key={userId}>
                <bdi>{name}</bdi>
                <span>{describeDuration(Math.max(presentMs, MINUTE_MS), { locale })}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

const MINUTE_MS = 60_000

import { Table2 } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './AttendanceTable.module.css'
import { formatTime } from './format.ts'
import type { Attendee } from './lesson.ts'
import { SavableSection } from './SavableSection.tsx'
import { formatPosition } from './transcript-text.ts'

interface Props {
  attendance: readonly Attendee[]
  /** Downloads the table; false: that failed. Null: the recording has no such file. */
  onSave: (() => Promise<boolean>) | null
}

/** The attendance, and how long each person spoke and had the hand up. Nothing for recordings without such a report. */
export function AttendanceTable({ attendance, onSave }: Props) {
  const { t } = useTexts()
  if (attendance.length === 0) return null
  return (
    <SavableSection
      title={t('lesson.attendance')}
      icon={Table2}
      saveLabel={t('lesson.saveTable')}
      onSave={onSave}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {(['name', 'joined', 'left', 'present', 'talk', 'hand'] as const).map(column => (
                <th key={column} scope="col">
                  {t(`lesson.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {attendance.map(person => (
              <AttendeeRow key={person.userId} person={person} />
            ))}
          </tbody>
        </table>
      </div>
    </SavableSection>
  )
}

function AttendeeRow({ person }: { person: Attendee }) {
  const { t, locale } = useTexts()
  const { name, joinedAtMs, leftAtMs, joins, presentMs, talkMs, handCount, handMs } = person
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <bdi>{name}</bdi>
      </th>
      <td>
        {formatTime(joinedAtMs, locale)}
        {joins > 1 && <span className={styles.note}> {t('lesson.joins', { number: joins })}</span>}
      </td>
      <td>{leftAtMs === null ? t('lesson.untilEnd') : formatTime(leftAtMs, locale)}</td>
      <td>{formatPosition(presentMs)}</td>
      <td>{formatPosition(talkMs)}</td>
      <td>
        {handCount}
        {handCount > 0 && <span className={styles.note}> · {formatPosition(handMs)}</span>}
      </td>
    </tr>
  )
}

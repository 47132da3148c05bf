import { GoForm } from '../../start/GoForm.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { PageFrame } from '../shell/PageFrame.tsx'
import styles from './MeetingsPage.module.css'
import { NewMeetingButton } from './NewMeetingButton.tsx'
import { OwnConferences } from './OwnConferences.tsx'

/** The user's own meetings, and the way into others. */
export function MeetingsPage() {
  const { t } = useTexts()
  return (
    <PageFrame title={t('meetings.own')}>
      <div className={styles.meetings}>
        <section className={styles.own} aria-label={t('meetings.own')}>
          <NewMeetingButton />
          <OwnConferences />
        </section>
        <section className={styles.other} aria-labelledby="meetings-other">
          <h2 id="meetings-other" className={styles.heading}>
            {t('meetings.other')}
          </h2>
          <GoForm />
        </section>
      </div>
    </PageFrame>
  )
}

import { useTexts } from '../texts/use-texts.ts'
import styles from './InvitationFacts.module.css'
import type { Invitation } from './invitation.ts'
import { StatusLine } from './StatusLine.tsx'

/** Longer titles are set as body text. */
const LONG_TITLE = 80

/** The title of the meeting, and whether it is in progress. */
export function InvitationFacts({ invitation }: { invitation: Invitation }) {
  const { t } = useTexts()
  const { title } = invitation
  return (
    <div className={styles.facts}>
      <p className={styles.eyebrow}>{t('invitation.heading')}</p>
      {/* Chromium draws no ellipsis on clamped lines if the direction of their text differs from that of the element. */}
      <h1 className={title.length > LONG_TITLE ? styles.longTitle : styles.title}>
        <bdi>{title.trim() || t('invitation.untitled')}</bdi>
      </h1>
      <StatusLine invitation={invitation} />
    </div>
  )
}

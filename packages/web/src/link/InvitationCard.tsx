import { useTexts } from '../texts/use-texts.ts'
import { Card } from '../ui/Card.tsx'
import { GuestFact } from './GuestFact.tsx'
import styles from './InvitationCard.module.css'
import type { Invitation } from './invitation.ts'
import { StatusLine } from './StatusLine.tsx'
import { WhenFact } from './WhenFact.tsx'

/** Above this many characters a title is a text, and is set like one. */
const LONG_TITLE = 80

export function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { t } = useTexts()
  const { title, startsAt, endsAt, guest } = invitation
  return (
    <Card>
      <p className={styles.eyebrow}>{t('invitation.heading')}</p>
      <h1 className={title.length > LONG_TITLE ? styles.longTitle : styles.title} dir="auto">
        {title.trim() || t('invitation.untitled')}
      </h1>
      <StatusLine invitation={invitation} />
      <WhenFact startsAt={startsAt} endsAt={endsAt} />
      {guest && <GuestFact guest={guest} />}
    </Card>
  )
}

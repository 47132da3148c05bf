import { KeyRound } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import styles from './InviteeFact.module.css'
import type { Invitee } from './invitation.ts'

/** The role that the link gives its holder; the name is in the form to join. */
export function InviteeFact({ invitee: { role, personal } }: { invitee: Invitee }) {
  const { t } = useTexts()
  return (
    <section>
      <h2 className={styles.label}>{t('invitation.guest')}</h2>
      <p className={styles.role}>{t(`role.${role}`)}</p>
      {personal && (
        <p className={styles.personal}>
          <KeyRound aria-hidden="true" />
          <span>{t('invitation.personal')}</span>
        </p>
      )}
    </section>
  )
}

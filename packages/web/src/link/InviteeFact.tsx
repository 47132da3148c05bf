import { KeyRound } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import styles from './InviteeFact.module.css'
import type { Invitee } from './invitation.ts'

/** Whom the link was issued to. */
export function InviteeFact({ invitee: { name, role, personal } }: { invitee: Invitee }) {
  const { t } = useTexts()
  return (
    <section>
      <h2 className={styles.label}>{t('invitation.guest')}</h2>
      <p className={styles.person}>
        {name && <bdi className={styles.name}>{name}</bdi>}{' '}
        <span className={name ? styles.role : styles.name}>{t(`role.${role}`)}</span>
      </p>
      {personal && (
        <p className={styles.personal}>
          <KeyRound aria-hidden="true" />
          <span>{t('invitation.personal')}</span>
        </p>
      )}
    </section>
  )
}

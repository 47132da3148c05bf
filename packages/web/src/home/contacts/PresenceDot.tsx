import type { Contact } from '@lectern/protocol/control/client'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './PresenceDot.module.css'

/** Whether a contact is there: a dot that differs by shape too, with its text beside it or for screen readers only. */
export function PresenceDot({ contact, showsText = false }: { contact: Contact; showsText?: boolean }) {
  const { t } = useTexts()
  const { presence } = contact
  const text = t(`contacts.presence.${presence}`)
  if (presence === 'offline' && !showsText) return null
  return (
    <span className={styles.presence}>
      <span className={styles[presence]} title={showsText ? undefined : text} />
      <span className={showsText ? undefined : 'visually-hidden'}>{text}</span>
    </span>
  )
}

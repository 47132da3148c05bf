import type { Contact } from '@lectern/protocol/control/client'
import { PresenceDot } from '../home/contacts/PresenceDot.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import styles from './PersonChoice.module.css'

interface Props {
  contact: Contact
  isChosen: boolean
  isDisabled: boolean
  onToggle: () => void
}

/** A contact with a checkbox. */
export function PersonChoice({ contact, isChosen, isDisabled, onToggle }: Props) {
  const { t } = useTexts()
  const { user_id, display_name, login } = contact
  const name = display_name || login || t('calls.unnamed')
  return (
    <label className={styles.person}>
      <input type="checkbox" checked={isChosen} disabled={isDisabled} onChange={onToggle} />
      <Avatar name={name} id={user_id} />
      <span className={styles.text}>
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        <PresenceDot contact={contact} showsText />
      </span>
    </label>
  )
}

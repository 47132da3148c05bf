import type { CallInfo } from '@lectern/protocol/control/client'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import styles from './CallPeople.module.css'

/** The invited people, and what each of them did. */
export function CallPeople({ call }: { call: CallInfo }) {
  const { t } = useTexts()
  return (
    <ul className={styles.people} aria-label={t('calls.page.people')}>
      {call.people.map(({ user_id, display_name, state }) => (
        <li key={user_id} className={styles.person}>
          <Avatar name={display_name} id={user_id} />
          <span className={styles.name} dir="auto">
            {display_name.trim() || t('calls.unnamed')}
          </span>
          <span className={styles.state}>{t(`calls.person.${state}`)}</span>
        </li>
      ))}
    </ul>
  )
}

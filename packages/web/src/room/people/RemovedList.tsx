import type { RemovedPerson } from '@lectern/protocol/control/client'
import { UserRoundPlus } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import styles from './RemovedList.module.css'

interface Props {
  removed: readonly RemovedPerson[]
  onReadmit: (userId: string) => void
}

/** Removed people, whom moderators can readmit. */
export function RemovedList({ removed, onReadmit }: Props) {
  const { t } = useTexts()
  if (removed.length === 0) return null
  return (
    <section className={styles.removed}>
      <h2 className={styles.title}>{t('people.removed')}</h2>
      <ul className={styles.list}>
        {removed.map(({ user_id, display_name }) => {
          const name = display_name || t('people.nameless')
          const verb = t('people.readmit')
          return (
            <li key={user_id} className={styles.person}>
              <bdi className={styles.name}>{name}</bdi>
              <PanelButton
                icon={UserRoundPlus}
                label={`${verb}: ${name}`}
                text={verb}
                onClick={() => onReadmit(user_id)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

import { useModeratorTerm } from '../../room/moderator-term.ts'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './ElsewhereFact.module.css'

/** Next to the join button: two tabs with sound beside each other echo. */
export function ElsewhereFact() {
  const { t } = useTexts()
  return (
    <p role="status" className={styles.fact}>
      {t('prejoin.elsewhere', useModeratorTerm())}
    </p>
  )
}

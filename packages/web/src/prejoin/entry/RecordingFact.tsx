import { useModeratorTerm } from '../../room/moderator-term.ts'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './RecordingFact.module.css'

/** Next to the join button, so that nobody joins without having seen it. */
export function RecordingFact() {
  const { t } = useTexts()
  return <p className={styles.fact}>{t('prejoin.recorded', useModeratorTerm())}</p>
}

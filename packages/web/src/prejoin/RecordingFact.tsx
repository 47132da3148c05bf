import { useTexts } from '../texts/use-texts.ts'
import styles from './RecordingFact.module.css'

/** Beside the button to join, so that nobody joins without having seen it. */
export function RecordingFact() {
  const { t } = useTexts()
  return <p className={styles.fact}>{t('prejoin.recorded')}</p>
}

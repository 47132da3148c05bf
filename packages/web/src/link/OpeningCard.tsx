import { useTexts } from '../texts/use-texts.ts'
import { Card } from '../ui/Card.tsx'
import styles from './OpeningCard.module.css'

/** A skeleton of the invitation. It appears with a delay, so that quick responses do not flicker. */
export function OpeningCard() {
  const { t } = useTexts()
  return (
    <div className={styles.opening}>
      <h1 className="visually-hidden">{t('link.opening')}</h1>
      <Card busy>
        <div className={styles.lines} aria-hidden="true">
          <span className={styles.line} />
          <span className={styles.line} />
          <span className={styles.line} />
          <span className={styles.line} />
        </div>
      </Card>
    </div>
  )
}

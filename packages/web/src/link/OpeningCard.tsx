import { useTexts } from '../texts/use-texts.ts'
import { Card } from '../ui/Card.tsx'
import styles from './OpeningCard.module.css'

/** The outline of an invitation. A quick answer comes before it is seen. */
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

import { Armchair } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './Alone.module.css'
import type { Rect } from './arrange.ts'

/** The place of whoever comes next. */
export function Alone({ place }: { place: Rect | null }) {
  const { t } = useTexts()
  return (
    <div className={styles.alone} style={place ?? undefined} hidden={!place}>
      <Armchair aria-hidden="true" />
      <p className={styles.title}>{t('room.alone')}</p>
      <p>{t('room.aloneText')}</p>
    </div>
  )
}

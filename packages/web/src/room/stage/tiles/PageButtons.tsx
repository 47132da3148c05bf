import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTexts } from '../../../texts/use-texts.ts'
import { styleOf } from '../layout/geometry.ts'
import type { Pager } from '../layout/plan.ts'
import styles from './PageButtons.module.css'

interface Props {
  pager: Pager
  onShow: (page: number) => void
}

/** Opens the tiles that are not visible. After the last page the first one follows. */
export function PageButtons({ pager: { rect, page, pages, more }, onShow }: Props) {
  const { t } = useTexts()
  return (
    <nav
      className={styles.pager}
      style={styleOf(rect)}
      aria-label={t('stage.page', { page: page + 1, pages })}
    >
      <button
        type="button"
        className={styles.button}
        aria-label={t('stage.previous')}
        title={t('stage.previous')}
        onClick={() => onShow(page === 0 ? pages - 1 : page - 1)}
      >
        <ChevronLeft aria-hidden="true" />
      </button>
      <button
        type="button"
        className={styles.button}
        title={t('stage.page', { page: page + 1, pages })}
        onClick={() => onShow(page + 1)}
      >
        <span aria-live="polite">{t('stage.more', { number: more })}</span>
        <ChevronRight aria-hidden="true" />
      </button>
    </nav>
  )
}

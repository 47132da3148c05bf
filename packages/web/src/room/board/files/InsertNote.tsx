import { useTexts } from '../../../texts/use-texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { useValue } from '../../../use-value.ts'
import type { Board } from '../model/board.ts'
import styles from './InsertNote.module.css'

/** The file that is on its way to the board, above the page. */
export function InsertNote({ board }: { board: Board }) {
  const { t } = useTexts()
  const insert = useValue(board.inserts)
  if (!insert) return null
  const { name, share, pages, isOffice } = insert
  const text =
    share !== null
      ? t('board.files.uploading', { name })
      : pages
        ? t('board.files.pages', { name, ...pages })
        : t('board.files.preparing', { name })
  const progress = share ?? (pages ? pages.done / pages.fit : undefined)
  const isCut = pages !== null && pages.fit < pages.all
  return (
    <div className={styles.note}>
      <span className={styles.text}>
        {/* Not each page is read aloud. */}
        <span role={pages ? undefined : 'status'}>{text}</span>
        {isOffice && <span role="status">{t('board.files.mayDiffer')}</span>}
        {isCut && <span role="status">{t('board.files.fit', { fit: pages.fit })}</span>}
        <progress className={styles.progress} aria-label={text} value={progress} />
      </span>
      {!pages?.done && (
        <Button secondary onClick={board.inserts.cancel}>
          {t('board.files.cancel')}
        </Button>
      )}
    </div>
  )
}

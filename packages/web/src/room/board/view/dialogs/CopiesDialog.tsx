import { useTexts } from '../../../../texts/use-texts.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { authorName } from '../author-name.ts'
import styles from './Dialogs.module.css'
import { PageThumbnail } from './PageThumbnail.tsx'
import type { BoardDialogProps } from './props.ts'

/** The copies of everybody, as they draw. A press opens one for the teacher alone. */
export function CopiesDialog({ board, place, joined, state, onClose }: BoardDialogProps) {
  const { t } = useTexts()
  return (
    <Dialog title={t('board.copies.title')} onClose={onClose}>
      <ul className={styles.grid}>
        {state.copies.map(page => {
          const name = authorName(joined, page.owner_id ?? null) ?? t('board.somebody')
          const id = page.page_id
          return (
            <li key={id} className={styles.cell}>
              <button
                type="button"
                className={styles.picture}
                aria-label={t('board.copies.of', { name })}
                onClick={() => {
                  place.lookAt.set(id)
                  onClose()
                }}
              >
                <PageThumbnail board={board} page={page} />
              </button>
              <div className={styles.actions}>
                <span className={styles.number}>{name}</span>
                <Button
                  secondary
                  onClick={() => {
                    // After a failure what is shown stays.
                    void board.showCopy(id).catch(() => {})
                    place.lookAt.set(null)
                    onClose()
                  }}
                >
                  {t('board.copies.show')}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

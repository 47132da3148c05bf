import type { BoardPage } from '@lectern/protocol/control/client'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ToolButton } from '../tools/ToolButton.tsx'
import styles from './Dialogs.module.css'
import { PageThumbnail } from './PageThumbnail.tsx'
import type { BoardDialogProps } from './props.ts'

/** A removal that waits for an answer to its question. */
interface Asked {
  question: string
  remove: () => Promise<unknown>
}

/** The copies of everybody, as they draw, for each page that was handed out. A press opens one for the teacher alone. */
export function CopiesDialog({ board, place, state, onClose }: BoardDialogProps) {
  const { t } = useTexts()
  const [asked, setAsked] = useState<Asked | null>(null)
  const cell = (page: BoardPage) => {
    const name = board.nameOf(page.owner_id ?? null) ?? t('board.somebody')
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
          <ToolButton
            icon={Trash2}
            label={t('board.copies.remove', { name })}
            onClick={() =>
              setAsked({
                question: t('board.copies.removeQuestion', { name }),
                remove: () => board.removePage(id),
              })
            }
          />
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
  }
  const group = (of: string, copies: readonly BoardPage[]): ReactNode => {
    const at = state.pages.findIndex(({ page_id }) => page_id === of)
    const title =
      at < 0 ? t('board.copies.gone') : t('board.page', { page: at + 1, pages: state.pages.length })
    return (
      <section key={of} aria-label={title}>
        <div className={styles.actions}>
          <h3 className={styles.number}>{title}</h3>
          <Button
            secondary
            onClick={() =>
              setAsked({
                question: t('board.copies.removeAllQuestion'),
                remove: () => board.removeCopies(of),
              })
            }
          >
            {t('board.copies.removeAll')}
          </Button>
        </div>
        <ul className={styles.grid}>{copies.map(cell)}</ul>
      </section>
    )
  }
  const groups = Map.groupBy(state.copies, page => page.copy_of ?? '')
  return (
    <>
      <Dialog title={t('board.copies.title')} onClose={onClose}>
        {[...groups].map(([of, copies]) => group(of, copies))}
        {groups.size === 0 && <p className={styles.empty}>{t('board.copies.none')}</p>}
      </Dialog>
      {/* Beside it: the end of the question is not that of the dialog. */}
      {asked && (
        <ConfirmDialog
          question={asked.question}
          verb={t('board.remove')}
          cancel={t('room.cancel')}
          danger
          // After a failure they stay.
          onConfirm={() => void asked.remove().catch(() => {})}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

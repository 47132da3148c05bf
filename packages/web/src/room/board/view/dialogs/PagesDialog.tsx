import { ArrowLeft, ArrowRight, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ToolButton } from '../tools/ToolButton.tsx'
import styles from './Dialogs.module.css'
import { PageThumbnail } from './PageThumbnail.tsx'
import type { BoardDialogProps } from './props.ts'

/** All pages of the lesson: show one, order them, remove them. After a failure they stay as they are. */
export function PagesDialog({ board, state, onClose }: BoardDialogProps) {
  const { t } = useTexts()
  const { pages, page: present } = state
  const ignore = () => {}
  const current = useRef<HTMLButtonElement>(null)
  // Of many pages.
  useEffect(() => void current.current?.scrollIntoView({ block: 'center' }), [])
  const [removed, setRemoved] = useState<{ id: string; number: number } | null>(null)
  return (
    <>
      <Dialog title={t('board.pages')} onClose={onClose}>
        <ul className={styles.grid}>
          {pages.map((page, at) => {
            const label = t('board.page', { page: at + 1, pages: pages.length })
            const id = page.page_id
            return (
              <li key={id} className={styles.cell}>
                <button
                  type="button"
                  className={styles.picture}
                  aria-label={label}
                  ref={id === present.page_id ? current : undefined}
                  aria-current={id === present.page_id ? 'page' : undefined}
                  onClick={() => {
                    void board.show(id).catch(ignore)
                    onClose()
                  }}
                >
                  <PageThumbnail board={board} page={page} />
                </button>
                <div className={styles.actions}>
                  <span className={styles.number}>{at + 1}</span>
                  <ToolButton
                    icon={ArrowLeft}
                    label={t('board.earlier', { page: at + 1 })}
                    isDisabled={at === 0}
                    onClick={() => void board.movePage(id, -1).catch(ignore)}
                  />
                  <ToolButton
                    icon={ArrowRight}
                    label={t('board.later', { page: at + 1 })}
                    isDisabled={at === pages.length - 1}
                    onClick={() => void board.movePage(id, 1).catch(ignore)}
                  />
                  <ToolButton
                    icon={Trash2}
                    label={t('board.removePage', { page: at + 1 })}
                    isDisabled={pages.length === 1}
                    onClick={() => setRemoved({ id, number: at + 1 })}
                  />
                </div>
              </li>
            )
          })}
        </ul>
      </Dialog>
      {/* Beside it: the end of the question is not that of the dialog. */}
      {removed && (
        <ConfirmDialog
          question={t('board.removeQuestion', { page: removed.number })}
          verb={t('board.remove')}
          cancel={t('room.cancel')}
          danger
          onConfirm={() => void board.removePage(removed.id).catch(ignore)}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  )
}

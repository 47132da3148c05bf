import { FileText } from 'lucide-react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { chooseFiles, slideTypes } from '../../files/choose-files.ts'
import { useTakesOffice } from '../../files/use-takes-office.ts'
import styles from './Dialogs.module.css'
import type { BoardDialogProps } from './props.ts'

const KINDS = ['blank', 'squared', 'lined'] as const

/** Which kind of page follows. */
export function AddPageDialog({ board, onClose }: BoardDialogProps) {
  const { t } = useTexts()
  const isOffice = useTakesOffice(board)
  return (
    <Dialog title={t('board.addPage')} onClose={onClose}>
      <div className={styles.kinds}>
        {KINDS.map(kind => (
          <button
            key={kind}
            type="button"
            className={styles.kind}
            onClick={() => {
              // After a failure there is no other page.
              void board.addPage(kind).catch(() => {})
              onClose()
            }}
          >
            <span className={styles.paper} data-kind={kind} />
            {t(`board.background.${kind}`)}
          </button>
        ))}
      </div>
      <button
        type="button"
        className={styles.option}
        onClick={() => {
          chooseFiles(slideTypes(isOffice), board.inserts.addSlides)
          onClose()
        }}
      >
        <FileText aria-hidden="true" />
        {t('board.files.addSlides')}
      </button>
      <p className={styles.about}>{isOffice ? t('board.files.aboutOffice') : t('board.files.about')}</p>
      <p className={styles.about}>{t('board.files.space', { space: board.spaceForSlides() })}</p>
    </Dialog>
  )
}

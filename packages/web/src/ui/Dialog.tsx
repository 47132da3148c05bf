import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import styles from './Dialog.module.css'
import { PanelButton } from './PanelButton.tsx'
import { useFocusRetention } from './use-focus-retention.ts'
import { useModalDialog } from './use-modal-dialog.ts'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A modal dialog. The browser traps the focus and restores it. */
export function Dialog({ title, onClose, children }: Props) {
  const { t } = useTexts()
  const id = useId()
  const dialog = useModalDialog()
  useFocusRetention(dialog)
  return (
    <dialog ref={dialog} className={styles.dialog} tabIndex={-1} aria-labelledby={id} onClose={onClose}>
      <div className={styles.header}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <PanelButton icon={X} label={t('room.close')} onClick={() => dialog.current?.close()} iconOnly />
      </div>
      {children}
    </dialog>
  )
}

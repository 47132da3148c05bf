import { useId } from 'react'
import { Button } from './Button.tsx'
import styles from './ConfirmDialog.module.css'
import { useModalDialog } from './use-modal-dialog.ts'

interface Props {
  question: string
  /** Label of the button that confirms. */
  verb: string
  cancel: string
  /** The action destroys something, or shuts somebody out: its button is red. */
  danger: boolean
  onConfirm: () => void
  /** Also called after a confirmation. */
  onClose: () => void
}

/** Confirms an action that is hard to undo. The browser traps the focus and restores it. */
export function ConfirmDialog({ question, verb, cancel, danger, onConfirm, onClose }: Props) {
  const id = useId()
  const dialog = useModalDialog()

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onClose={onClose}
      // Escape closes the dialog only, not the panel below.
      onKeyDown={event => event.stopPropagation()}
    >
      <p id={id} className={styles.question}>
        {question}
      </p>
      <div className={styles.actions}>
        <Button secondary onClick={() => dialog.current?.close()}>
          {cancel}
        </Button>
        <Button
          danger={danger}
          onClick={() => {
            onConfirm()
            dialog.current?.close()
          }}
        >
          {verb}
        </Button>
      </div>
    </dialog>
  )
}

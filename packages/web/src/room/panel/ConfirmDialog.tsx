import { useEffect, useId, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import styles from './ConfirmDialog.module.css'

interface Props {
  question: string
  /** What the button that does it is called. */
  verb: string
  cancel: string
  onConfirm: () => void
  /** Also when it was confirmed. */
  onClose: () => void
}

/** Asks before something that is not easily undone. The browser keeps the focus in, and gives it back. */
export function ConfirmDialog({ question, verb, cancel, onConfirm, onClose }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onClose={onClose}
      // Escape is for the dialog alone, not for the panel that has opened it.
      onKeyDown={event => event.stopPropagation()}
    >
      <p id={id} className={styles.question}>
        {question}
      </p>
      <div className={styles.answers}>
        <Button secondary onClick={() => dialog.current?.close()}>
          {cancel}
        </Button>
        <Button
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

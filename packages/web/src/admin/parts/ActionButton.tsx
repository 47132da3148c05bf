import styles from './ActionButton.module.css'
import { type AskedAction, useAskedAction } from './asked-action.tsx'

/** A button that runs an action after a question. `name`: the accessible name, which names the row, too. */
export function ActionButton({ name, ...action }: Omit<AskedAction, 'danger'> & { name?: string }) {
  const { ask, isBusy, dialog } = useAskedAction()
  return (
    <>
      <button
        type="button"
        className={styles.action}
        aria-label={name}
        aria-disabled={isBusy}
        onClick={() => ask(action)}
      >
        {action.label}
      </button>
      {dialog}
    </>
  )
}

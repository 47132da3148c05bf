import styles from './SmallButton.module.css'

interface Props {
  label: string
  /** The accessible name, which names the row, too. */
  name?: string | undefined
  /** Keeps its focus, but does nothing. */
  isBusy?: boolean
  onClick: () => void
}

/** A button of a row or of a card. */
export function SmallButton({ label, name, isBusy = false, onClick }: Props) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={name}
      aria-disabled={isBusy}
      onClick={() => !isBusy && onClick()}
    >
      {label}
    </button>
  )
}

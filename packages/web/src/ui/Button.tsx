import type { ReactNode } from 'react'
import styles from './Button.module.css'

interface Props {
  onClick: () => void
  /** Keeps its place and the focus, but does nothing. */
  busy?: boolean
  children: ReactNode
}

export function Button({ onClick, busy = false, children }: Props) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-disabled={busy}
      onClick={() => {
        if (!busy) onClick()
      }}
    >
      {children}
    </button>
  )
}

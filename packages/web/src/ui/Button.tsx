import type { ReactNode } from 'react'
import styles from './Button.module.css'

interface Props {
  /** Omit it where the button submits its form. */
  onClick?: () => void
  /** Less prominent than a primary button. */
  secondary?: boolean
  /** Keeps its focus, but does nothing. */
  busy?: boolean
  children: ReactNode
}

export function Button({ onClick, secondary = false, busy = false, children }: Props) {
  return (
    <button
      type={onClick ? 'button' : 'submit'}
      className={secondary ? styles.secondaryButton : styles.button}
      aria-disabled={busy}
      onClick={() => {
        if (!busy) onClick?.()
      }}
    >
      {children}
    </button>
  )
}

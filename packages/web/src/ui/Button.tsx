import type { ReactNode } from 'react'
import styles from './Button.module.css'

interface Props {
  /** Omit it where the button submits its form. */
  onClick?: () => void
  /** Less prominent than a primary button. */
  secondary?: boolean
  /** The accessible name, where the text alone does not identify the button. It MUST begin with the text. */
  label?: string
  /** Destroys something. */
  danger?: boolean
  /** Keeps its focus, but does nothing. */
  busy?: boolean
  /** The pointer or the focus has reached it: it may be about to be pressed. */
  onApproach?: (() => void) | undefined
  children: ReactNode
}

export function Button({
  onClick,
  secondary = false,
  danger = false,
  label,
  busy = false,
  onApproach,
  children,
}: Props) {
  return (
    <button
      type={onClick ? 'button' : 'submit'}
      className={secondary ? styles.secondaryButton : danger ? styles.dangerButton : styles.button}
      aria-label={label}
      aria-disabled={busy}
      onPointerEnter={onApproach}
      onFocus={onApproach}
      onClick={() => {
        if (!busy) onClick?.()
      }}
    >
      {children}
    </button>
  )
}

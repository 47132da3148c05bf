import type { ReactNode } from 'react'
import styles from './LinkButton.module.css'

/** A button that looks like a link in the text. */
export function LinkButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.link} onClick={onClick}>
      {children}
    </button>
  )
}

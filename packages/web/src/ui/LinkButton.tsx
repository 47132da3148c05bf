import type { ReactNode } from 'react'
import styles from './LinkButton.module.css'

/** A small step to the side, set like a word of the text around it. */
export function LinkButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.link} onClick={onClick}>
      {children}
    </button>
  )
}

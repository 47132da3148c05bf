import type { ReactNode } from 'react'
import styles from './Card.module.css'

interface Props {
  busy?: boolean
  wide?: boolean
  /** On a small window it has no frame, and fills the page. */
  frameless?: boolean
  children: ReactNode
}

/** The centred card of a page. */
export function Card({ busy, wide, frameless, children }: Props) {
  const style = wide ? styles.wideCard : styles.card
  return (
    <div className={frameless ? `${style} ${styles.frameless}` : style} aria-busy={busy}>
      {children}
    </div>
  )
}

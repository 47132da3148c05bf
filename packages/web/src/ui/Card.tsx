import type { ReactNode } from 'react'
import styles from './Card.module.css'

/** The centred card of a page. */
export function Card({ busy, wide, children }: { busy?: boolean; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? styles.wideCard : styles.card} aria-busy={busy}>
      {children}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './Card.module.css'

/** The sheet of paper in the middle of a page. */
export function Card({ busy, wide, children }: { busy?: boolean; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? styles.wideCard : styles.card} aria-busy={busy}>
      {children}
    </div>
  )
}

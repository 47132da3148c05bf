import type { ReactNode } from 'react'
import styles from './Card.module.css'

/** The sheet of paper in the middle of a page. */
export function Card({ busy, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div className={styles.card} aria-busy={busy}>
      {children}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './EmptyList.module.css'

/** In place of a list without rows. `hint`: how to get some. */
export function EmptyList({ text, hint, children }: { text: string; hint?: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.text}>{text}</p>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  )
}

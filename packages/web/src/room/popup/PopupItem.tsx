import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './PopupItem.module.css'

interface Props {
  icon: LucideIcon
  /** Ends something for everybody. */
  danger?: boolean
  onClick: () => void
  children: ReactNode
}

/** A line of a popup. */
export function PopupItem({ icon: Icon, danger = false, onClick, children }: Props) {
  return (
    <button type="button" className={danger ? styles.danger : styles.item} onClick={onClick}>
      <Icon aria-hidden="true" />
      <span className={styles.words}>{children}</span>
    </button>
  )
}

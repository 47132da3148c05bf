import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './MenuItem.module.css'

export function MenuItem({
  icon: Icon,
  onClick,
  children,
}: {
  icon: LucideIcon
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button type="button" className={styles.item} onClick={onClick}>
      <Icon aria-hidden="true" />
      {children}
    </button>
  )
}

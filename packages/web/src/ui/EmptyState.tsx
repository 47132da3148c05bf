import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

interface Props {
  icon: LucideIcon
  title: string
  /** How something gets here. */
  text?: string
  /** The action that the text speaks of. */
  children?: ReactNode
}

/** In place of a list that has nothing, or of what has not been chosen yet. */
export function EmptyState({ icon: Icon, title, text, children }: Props) {
  return (
    <div className={styles.empty}>
      <Icon aria-hidden="true" />
      <h2 className={styles.title}>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  )
}

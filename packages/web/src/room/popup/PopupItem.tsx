import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOfferedKey } from '../bar/shortcut-keys.ts'
import styles from './PopupItem.module.css'

interface Props {
  icon: LucideIcon
  /** Ends something for everybody. */
  danger?: boolean
  /** In the format of `aria-keyshortcuts`. */
  shortcut?: string
  onClick: () => void
  children: ReactNode
}

/** A line of a popup. */
export function PopupItem({ icon: Icon, danger = false, shortcut, onClick, children }: Props) {
  const key = useOfferedKey(shortcut)
  return (
    <button
      type="button"
      className={danger ? styles.danger : styles.item}
      aria-keyshortcuts={key}
      onClick={onClick}
    >
      <Icon aria-hidden="true" />
      <span className={styles.words}>{children}</span>
      {key && (
        <span aria-hidden="true">
          <kbd>{key}</kbd>
        </span>
      )}
    </button>
  )
}

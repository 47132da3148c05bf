import type { LucideIcon } from 'lucide-react'
import styles from './IconButton.module.css'

interface Props {
  icon: LucideIcon
  /** The action: accessible name and tooltip. */
  label: string
  /** Marks something as switched off that is usually on. */
  off?: boolean
  onClick: () => void
}

/** A round button with an icon. */
export function IconButton({ icon: Icon, label, off = false, onClick }: Props) {
  return (
    <button
      type="button"
      className={off ? styles.off : styles.on}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon aria-hidden="true" />
    </button>
  )
}

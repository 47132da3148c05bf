import type { LucideIcon } from 'lucide-react'
import styles from './IconButton.module.css'

interface Props {
  icon: LucideIcon
  /** What a press does: read to those who do not see, shown to those who point. */
  label: string
  /** Something is switched off that is usually on. */
  off?: boolean
  onClick: () => void
}

/** A round button with a picture instead of a word. */
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

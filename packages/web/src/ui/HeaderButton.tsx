import type { LucideIcon } from 'lucide-react'
import styles from './IconLink.module.css'

interface Props {
  icon: LucideIcon
  label: string
  /** For a button that switches something on and off. */
  isPressed?: boolean
  onClick: () => void
}

/** A button of a header that shows an icon only. */
export function HeaderButton({ icon: Icon, label, isPressed, onClick }: Props) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon aria-hidden="true" />
    </button>
  )
}

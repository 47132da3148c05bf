import type { LucideIcon } from 'lucide-react'
import styles from './PanelButton.module.css'

interface Props {
  icon: LucideIcon
  label: string
  onClick: () => void
  /** Shows the icon only; the label becomes accessible name and tooltip. */
  iconOnly?: boolean
  /** Marks an action that is hard to undo. */
  danger?: boolean
  /** The button opens and closes something. */
  isOpen?: boolean
}

/** A small button of a panel. */
export function PanelButton({ icon: Icon, label, onClick, iconOnly = false, danger = false, isOpen }: Props) {
  const style = iconOnly ? styles.iconOnly : styles.labelled
  return (
    <button
      type="button"
      className={danger ? `${style} ${styles.danger}` : style}
      onClick={onClick}
      aria-expanded={isOpen}
      {...(iconOnly && { 'aria-label': label, title: label })}
    >
      <Icon aria-hidden="true" />
      {!iconOnly && label}
    </button>
  )
}

import type { LucideIcon } from 'lucide-react'
import styles from './PanelButton.module.css'

interface Props {
  icon: LucideIcon
  label: string
  onClick: () => void
  /** Only the picture is shown; the words are read out, and shown to those who point. */
  iconOnly?: boolean
  /** What it does is not easily undone. */
  danger?: boolean
}

/** A small button of a panel. */
export function PanelButton({ icon: Icon, label, onClick, iconOnly = false, danger = false }: Props) {
  const look = iconOnly ? styles.wordless : styles.worded
  return (
    <button
      type="button"
      className={danger ? `${look} ${styles.grave}` : look}
      onClick={onClick}
      {...(iconOnly && { 'aria-label': label, title: label })}
    >
      <Icon aria-hidden="true" />
      {!iconOnly && label}
    </button>
  )
}

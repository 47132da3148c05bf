import type { LucideIcon } from 'lucide-react'
import styles from './PanelButton.module.css'

interface Props {
  icon: LucideIcon
  label: string
  onClick: () => void
  /** Only the picture is shown; the words are read out, and shown to those who point. */
  wordless?: boolean
  /** What it does is not easily undone. */
  grave?: boolean
}

/** A small button of a panel. */
export function PanelButton({ icon: Icon, label, onClick, wordless = false, grave = false }: Props) {
  const look = wordless ? styles.wordless : styles.worded
  return (
    <button
      type="button"
      className={grave ? `${look} ${styles.grave}` : look}
      onClick={onClick}
      {...(wordless && { 'aria-label': label, title: label })}
    >
      <Icon aria-hidden="true" />
      {!wordless && label}
    </button>
  )
}

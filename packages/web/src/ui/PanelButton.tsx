import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import styles from './PanelButton.module.css'

interface Props {
  icon: LucideIcon
  label: string
  /** Shown instead of the label, of which it is a part; the label remains the accessible name. */
  text?: ReactNode
  onClick: () => void
  /** Shows the icon only; the label becomes accessible name and tooltip. */
  iconOnly?: boolean
  /** Marks an action that is hard to undo. */
  danger?: boolean
  /** The first choice among several. */
  filled?: boolean
  /** Absent: not a toggle button. */
  isOn?: boolean
  /** The button opens and closes something. */
  isOpen?: boolean
  button?: Ref<HTMLButtonElement>
}

/** A small button of a panel. */
export function PanelButton({ icon: Icon, label, text = label, onClick, isOpen, ...props }: Props) {
  const { iconOnly = false, danger = false, filled = false } = props
  const style = iconOnly ? styles.iconOnly : filled ? styles.filled : styles.labelled
  return (
    <button
      ref={props.button}
      type="button"
      className={danger ? `${style} ${styles.danger}` : style}
      onClick={onClick}
      aria-expanded={isOpen}
      aria-pressed={props.isOn}
      {...((iconOnly || text !== label) && { 'aria-label': label, title: label })}
    >
      <Icon aria-hidden="true" />
      {!iconOnly && text}
    </button>
  )
}

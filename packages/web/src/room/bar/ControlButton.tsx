import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import styles from './ControlButton.module.css'

interface Props {
  icon: LucideIcon
  /** What it is, whatever its state. */
  label: string
  /** What a press does, where the label does not say so. */
  hint?: string
  /** Absent: it is no switch. */
  isOn?: boolean
  variant?: 'plain' | 'off' | 'warning' | 'grave'
  isBusy?: boolean
  /** The key that does the same, as `aria-keyshortcuts` writes it. */
  shortcut?: string
  /** A number, or a sign that something is wrong. */
  badge?: ReactNode
  button?: Ref<HTMLButtonElement>
  onClick: () => void
}

/** A round button of the bar. */
export function ControlButton(props: Props) {
  const { icon: Icon, label, hint = label, isOn, variant = 'plain', isBusy = false, shortcut, badge } = props
  return (
    <button
      ref={props.button}
      type="button"
      className={styles[variant]}
      aria-label={label}
      aria-pressed={isOn}
      aria-busy={isBusy}
      aria-keyshortcuts={shortcut}
      title={shortcut ? `${hint} (${shortcut})` : hint}
      onClick={props.onClick}
    >
      <Icon aria-hidden="true" />
      {badge !== undefined && <span className={styles.badge}>{badge}</span>}
      <span className={styles.caption} aria-hidden="true">
        {label}
      </span>
    </button>
  )
}

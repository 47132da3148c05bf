import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import styles from './ControlButton.module.css'

interface Props {
  icon: LucideIcon
  /** The same in every state. */
  label: string
  /** The action, where the label does not name it. */
  hint?: string
  /** Absent: not a toggle button. */
  isOn?: boolean
  variant?: 'plain' | 'off' | 'warning'
  isBusy?: boolean
  /** A moderator does not permit it now: `hint` says so. */
  isForbidden?: boolean
  /** In the format of `aria-keyshortcuts`. */
  shortcut?: string
  /** A count, or a warning. */
  badge?: ReactNode
  button?: Ref<HTMLButtonElement>
  onClick?: () => void
}

/** A round button of the control bar. */
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
      aria-disabled={props.isForbidden || undefined}
      aria-keyshortcuts={shortcut}
      title={shortcut ? `${hint} (${shortcut})` : hint}
      onClick={props.isForbidden ? undefined : props.onClick}
    >
      <Icon aria-hidden="true" />
      {badge !== undefined && <span className={styles.badge}>{badge}</span>}
      <span className={styles.caption} aria-hidden="true">
        {label}
      </span>
    </button>
  )
}

import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import styles from './ControlButton.module.css'
import { useOfferedKey } from './shortcut-keys.ts'
import { Tip } from './Tip.tsx'

interface Props {
  icon: LucideIcon
  /** The accessible name, the same in every state. */
  label: string
  /** One word of it, below the icon, where it has more. */
  caption?: string
  /** The action or the state, where the label does not name it. */
  hint?: string
  /** Absent: not a toggle button. */
  isOn?: boolean
  /** Absent: it opens nothing beside it. */
  isOpen?: boolean
  /** `plain` is tinted while it is on or open, `input` while it is off. */
  variant?: 'plain' | 'input'
  isBusy?: boolean
  /** A moderator does not permit it now: `hint` says so. */
  isForbidden?: boolean
  /** In the format of `aria-keyshortcuts`. */
  shortcut?: string
  /** A count, or a warning. */
  badge?: ReactNode
  button?: Ref<HTMLButtonElement>
  onClick?: () => void
  /** Explains why it is forbidden. */
  onForbidden?: () => void
}

/** A button of the room: an icon with one word below it, and a tooltip with the action and its key. */
export function ControlButton(props: Props) {
  const { icon: Icon, label, caption = label, hint = label, variant = 'plain', badge } = props
  const shortcut = useOfferedKey(props.shortcut)
  return (
    <button
      ref={props.button}
      type="button"
      className={styles[variant]}
      aria-label={label}
      aria-description={hint === label ? undefined : hint}
      aria-pressed={props.isOn}
      aria-expanded={props.isOpen}
      aria-busy={props.isBusy ?? false}
      aria-disabled={props.isForbidden || undefined}
      aria-keyshortcuts={shortcut}
      onClick={props.isForbidden ? props.onForbidden : props.onClick}
    >
      <span className={styles.sign}>
        <Icon aria-hidden="true" />
        {badge !== undefined && <span className={styles.badge}>{badge}</span>}
      </span>
      <span className={styles.caption} aria-hidden="true">
        {caption}
      </span>
      <Tip hint={hint} shortcut={shortcut} />
    </button>
  )
}

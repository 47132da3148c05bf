import type { LucideIcon } from 'lucide-react'
import type { Ref } from 'react'
import styles from './ToolButton.module.css'

interface Props {
  icon: LucideIcon
  label: string
  /** Absent: not a toggle button. */
  isOn?: boolean
  /** Absent: it opens nothing. */
  isOpen?: boolean
  isDisabled?: boolean
  /** By how many degrees the icon is turned. */
  turn?: number
  /** A dot of this colour. */
  color?: string
  button?: Ref<HTMLButtonElement>
  onClick: () => void
}

/** A button of the board, 44 pixels wide and high. One that can do nothing now keeps the focus. */
export function ToolButton({ icon: Icon, label, isOn, isOpen, isDisabled = false, ...props }: Props) {
  return (
    <button
      ref={props.button}
      type="button"
      className={styles.button}
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      aria-expanded={isOpen}
      aria-disabled={isDisabled || undefined}
      onClick={() => isDisabled || props.onClick()}
    >
      <Icon
        aria-hidden="true"
        style={props.turn === undefined ? undefined : { rotate: `${props.turn}deg` }}
      />
      {props.color !== undefined && <span className={styles.dot} style={{ background: props.color }} />}
    </button>
  )
}

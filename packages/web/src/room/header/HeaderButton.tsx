import type { LucideIcon } from 'lucide-react'
import { useOfferedKey } from '../bar/shortcut-keys.ts'
import { Tip } from '../bar/Tip.tsx'
import styles from './RoomHeader.module.css'

interface Props {
  icon: LucideIcon
  label: string
  /** The state, where the label does not name it. */
  hint?: string
  isOn?: boolean
  shortcut: string
  /** The word is shown where there is space. */
  isNamed?: boolean
  onClick: () => void
}

/** A button at the top right of the stage. */
export function HeaderButton({ icon: Icon, label, hint = label, isOn, shortcut, isNamed, onClick }: Props) {
  const key = useOfferedKey(shortcut)
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      aria-description={hint === label ? undefined : hint}
      aria-pressed={isOn}
      aria-keyshortcuts={key}
      onClick={onClick}
    >
      <Icon aria-hidden="true" />
      {isNamed && (
        <span className={styles.word} aria-hidden="true">
          {label}
        </span>
      )}
      <Tip hint={hint} shortcut={key} />
    </button>
  )
}

import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Popup } from '../../../popup/Popup.tsx'
import { ToolButton } from './ToolButton.tsx'
import styles from './Toolbar.module.css'

interface Props {
  icon: LucideIcon
  label: string
  /** The present tool is in it. */
  isMarked?: boolean
  color?: string
  side: 'beside' | 'below'
  /** The last one of the tools: it opens towards the others. */
  isLast?: boolean
  children: ReactNode
}

/** A button of the tools with more of them beside it. */
export function Flyout({ icon, label, isMarked = false, color, side, isLast = false, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <div className={styles.flyout} data-marked={isMarked || undefined}>
      <ToolButton
        icon={icon}
        label={label}
        isOpen={isOpen}
        button={opener}
        {...(color !== undefined && { color })}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popup
          label={label}
          opener={opener}
          side={isLast ? 'end' : 'start'}
          className={side === 'beside' ? (isLast ? styles.lastBeside : styles.beside) : styles.below}
          onClose={() => setOpen(false)}
        >
          {children}
        </Popup>
      )}
    </div>
  )
}

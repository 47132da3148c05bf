import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useFocusRetention } from '../../ui/use-focus-retention.ts'
import styles from './Panel.module.css'

interface Props {
  title: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
}

/**
 * A panel next to the stage. Escape closes it. Opening it moves the focus into it, closing it moves the focus
 * back.
 */
export function Panel({ title, closeLabel, onClose, children }: Props) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  const [opener] = useState(() => document.activeElement)
  useFocusRetention(panel)
  useEffect(() => {
    const { current } = panel
    // A child may have taken the focus already.
    if (!current?.contains(document.activeElement)) current?.focus()
  }, [])

  const close = () => {
    if (opener instanceof HTMLElement) opener.focus()
    onClose()
  }
  const closeByKey = (event: KeyboardEvent) => {
    // A child has handled the key, such as a form that was cancelled.
    if (event.key === 'Escape' && !event.defaultPrevented && !event.nativeEvent.isComposing) close()
  }
  return (
    <section ref={panel} className={styles.panel} aria-labelledby={id} tabIndex={-1} onKeyDown={closeByKey}>
      <header className={styles.header}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <PanelButton icon={X} label={closeLabel} onClick={close} iconOnly />
      </header>
      {children}
    </section>
  )
}

import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
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
 * A panel next to the stage. Escape closes it, wherever the focus is. Opening it moves the focus into it, closing it moves
 * the focus back, unless that is elsewhere.
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
    const { activeElement } = document
    const isElsewhere = activeElement !== document.body && !panel.current?.contains(activeElement)
    if (!isElsewhere && opener instanceof HTMLElement) opener.focus()
    onClose()
  }
  useEffect(() => {
    const closeByKey = (event: KeyboardEvent) => {
      // Something else has handled the key, such as a form that was cancelled; a dialog is closed first.
      const isHandled = event.defaultPrevented || document.querySelector('dialog[open]') !== null
      if (event.key === 'Escape' && !isHandled && !event.isComposing) close()
    }
    document.addEventListener('keydown', closeByKey)
    return () => document.removeEventListener('keydown', closeByKey)
  })
  return (
    <section ref={panel} className={styles.panel} aria-labelledby={id} tabIndex={-1}>
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

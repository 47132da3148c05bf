import { Ellipsis } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './ControlBar.module.css'
import { ControlButton } from './ControlButton.tsx'

/**
 * The less frequent buttons of the bar. On a phone they are behind the button *More*, which comes first, so that Tab goes
 * from it to them. An action, Escape and a click elsewhere close the drawer.
 */
export function Drawer({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  /** The button that has the focus disappears, and what it opens returns the focus to this one. */
  const close = () => {
    more.current?.focus()
    setOpen(false)
  }
  useEffect(() => {
    if (!isOpen) return
    const stop = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault() // what is below stays open
      close()
    }
    const onClick = (event: MouseEvent) => {
      const bar = more.current?.closest('section')
      if (event.target instanceof Node && bar?.contains(event.target)) return
      if (event.detail > 0) event.stopPropagation() // a tap that closes the drawer does nothing else
      setOpen(false)
    }
    document.addEventListener('keydown', onKey, { capture: true, signal: stop.signal })
    document.addEventListener('click', onClick, { capture: true, signal: stop.signal })
    return () => stop.abort()
  })
  return (
    <>
      <div className={styles.more}>
        <ControlButton
          icon={Ellipsis}
          label={t('room.more')}
          isOn={isOpen}
          button={more}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons joined are what is pressed */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key presses a button, which comes here as a click */}
      <div className={styles.drawer} data-open={isOpen || undefined} onClick={() => isOpen && close()}>
        {children}
      </div>
    </>
  )
}

import { type FocusEvent, type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useCompact } from '../bar/use-compact.ts'
import { SheetHandle } from '../sheet/SheetHandle.tsx'
import styles from './Popup.module.css'
import { useWindowPlace } from './use-window-place.ts'

interface Props {
  label: string
  /** The button that opens it, and has the focus after it. */
  opener: RefObject<HTMLButtonElement | null>
  /** At which end of its button it begins. */
  side?: 'start' | 'end'
  /** The button is in something that scrolls, whose edges the popup crosses; scrolling closes it. */
  isFree?: boolean
  /** On phones it is a sheet at the lower edge of the window. */
  isSheet?: boolean
  /** Whom the sheet is about: it covers its button. */
  title?: string
  className?: string | undefined
  onClose: () => void
  children: ReactNode
}

/**
 * The popup of a button of the room, beside the button. The focus is on the first item. An action, Escape, and a click
 * or the focus elsewhere close it; items inside of `data-stays` leave it open.
 */
export function Popup(props: Props) {
  const { label, opener, side = 'end', isFree = false, className = '', onClose, children } = props
  const popup = useRef<HTMLElement>(null)
  const isSheet = useCompact() && props.isSheet === true
  const place = useWindowPlace(popup, opener)
  const close = () => {
    // The element with the focus disappears, and a dialog that it opens returns the focus to the button.
    if (popup.current?.contains(document.activeElement)) opener.current?.focus()
    onClose()
  }
  useEffect(() => popup.current?.querySelector<HTMLElement>('button:not([data-handle]), input')?.focus(), [])
  useEffect(() => {
    const isOurs = (node: EventTarget | null) =>
      node instanceof Node && (popup.current?.contains(node) || opener.current?.contains(node))
    const stop = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
      event.preventDefault() // what is below stays open
      event.stopPropagation()
      opener.current?.focus()
      onClose()
    }
    const onClick = (event: globalThis.MouseEvent) => {
      if (isOurs(event.target)) return
      const bar = opener.current?.closest('section, header')
      const isBeside = event.target instanceof Node && bar?.contains(event.target)
      if (event.detail > 0 && !isBeside) event.stopPropagation() // a tap that closes it does nothing else
      onClose()
    }
    const onScroll = ({ target }: Event) => {
      if (isFree && !isSheet && target instanceof Node && target.contains(opener.current)) onClose()
    }
    document.addEventListener('keydown', onKey, { capture: true, signal: stop.signal })
    document.addEventListener('click', onClick, { capture: true, signal: stop.signal })
    document.addEventListener('scroll', onScroll, { capture: true, signal: stop.signal })
    return () => stop.abort()
  })
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    const isInside = currentTarget.contains(relatedTarget) || opener.current?.contains(relatedTarget)
    // Without a next element the window itself has lost the focus, or a dialog opens.
    if (relatedTarget instanceof Node && !isInside) onClose()
  }
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('button') && !target.closest('[data-stays]')) close()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key presses a button, which comes here as a click
    <section
      ref={popup}
      aria-label={label}
      className={`${isSheet ? styles.sheet : styles.popup} ${className}`}
      style={isFree && !isSheet ? place : undefined}
      data-side={side}
      onBlur={onBlur}
      onClick={onClick}
    >
      {isSheet && <SheetHandle sheet={popup} size="half" onClose={close} />}
      {isSheet && props.title !== undefined && (
        <p className={styles.title}>
          <bdi>{props.title}</bdi>
        </p>
      )}
      {children}
    </section>
  )
}

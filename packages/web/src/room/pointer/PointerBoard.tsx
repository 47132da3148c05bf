import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import type { PointerPosition } from '../../call/pointers.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { Rect } from '../stage/layout/geometry.ts'
import { moveByKey, positionIn } from './letterbox.ts'
import styles from './PointerBoard.module.css'
import { PointerMark } from './PointerMark.tsx'
import type { Pointing } from './pointing.ts'

/**
 * The own shared screen, on which mouse, finger or arrow keys point for the others. It takes the focus, and Escape
 * returns it.
 */
export function PointerBoard({ pointing, content }: { pointing: Pointing; content: Rect | null }) {
  const { t } = useTexts()
  const hint = useId()
  const board = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => document.activeElement)
  const [position, setPosition] = useState<PointerPosition | null>(null)
  const show = (next: PointerPosition | null) => {
    setPosition(next)
    pointing.point(next)
  }
  useEffect(() => board.current?.focus({ preventScroll: true }), [])
  useEffect(() => () => pointing.point(null), [pointing])
  const follow = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent) =>
    show(content && positionIn(content, { x: offsetX, y: offsetY }))
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault() // the panel beside the stage stays open
      if (opener instanceof HTMLElement) opener.focus()
      return pointing.toggle()
    }
    const next = moveByKey(position, event)
    if (!next) return
    event.preventDefault()
    show(next)
  }
  return (
    <>
      <div
        ref={board}
        role="application"
        className={styles.board}
        aria-label={t('pointer.board')}
        aria-describedby={hint}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the pointer
        tabIndex={0}
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={() => show(null)}
        onKeyDown={press}
      />
      <p id={hint} className="visually-hidden">
        {t('pointer.hint')}
      </p>
      <PointerMark content={content} position={position} />
    </>
  )
}

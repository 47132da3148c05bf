import { type PointerEvent, type RefObject, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './SheetHandle.module.css'
import { PRESS_PX, type SheetSize, sheetAfter } from './sheet-size.ts'

interface Props {
  sheet: RefObject<HTMLElement | null>
  size: SheetSize
  /** Absent: it has one size, and is dragged down only. */
  onResize?: (size: SheetSize) => void
  onClose: () => void
}

/**
 * The handle of a sheet, on phones only. It is dragged up and down; a press or Enter makes the sheet high or low again.
 * While it is dragged, `--drag` of the sheet is the distance.
 */
export function SheetHandle({ sheet, size, onResize, onClose }: Props) {
  const { t } = useTexts()
  const start = useRef<number | null>(null)
  const wasDragged = useRef(false)
  const distance = (event: PointerEvent) => {
    const by = start.current === null ? 0 : event.clientY - start.current
    return onResize ? by : Math.max(by, 0)
  }
  const onDown = (event: PointerEvent<HTMLElement>) => {
    start.current = event.clientY
    wasDragged.current = false
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent) => {
    const by = distance(event)
    wasDragged.current ||= Math.abs(by) > PRESS_PX
    if (wasDragged.current) sheet.current?.style.setProperty('--drag', `${by}px`)
  }
  const onEnd = (event: PointerEvent) => {
    const by = distance(event)
    start.current = null
    sheet.current?.style.removeProperty('--drag')
    if (!wasDragged.current || event.type === 'pointercancel') return
    const after = sheetAfter(size, by / innerHeight)
    if (after === 'closed') onClose()
    else if (after !== size) onResize?.(after)
  }
  const onClick = () => {
    // A click comes after a drag, too.
    if (wasDragged.current) wasDragged.current = false
    else if (onResize) onResize(size === 'half' ? 'full' : 'half')
    else onClose()
  }
  const label = onResize ? (size === 'half' ? t('bar.enlarge') : t('bar.reduce')) : t('room.close')
  return (
    <button
      type="button"
      className={styles.handle}
      aria-label={label}
      data-stays
      data-handle
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onClick={onClick}
    />
  )
}

import { type HTMLAttributes, type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type Corner, cornerByKey, nearestCorner } from '../layout/own-view.ts'

/** A shorter movement is a press. */
const DRAG_FROM_PX = 8

interface Drag {
  x: number
  y: number
  isMoving: boolean
}

type Handlers = Pick<
  HTMLAttributes<HTMLElement>,
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel' | 'onClickCapture' | 'onKeyDown'
>

/** Handlers that move an element to a corner of its parent, by drag or arrow keys. It follows the pointer by style only. */
export function useCornerDrag(corner: Corner, onMove: (corner: Corner) => void): Handlers {
  const drag = useRef<Drag | null>(null)
  const hasMoved = useRef(false)
  const end = ({ currentTarget: element }: PointerEvent<HTMLElement>, moves: boolean) => {
    const wasMoving = drag.current?.isMoving ?? false
    drag.current = null
    if (!wasMoving) return
    if (moves) onMove(cornerUnder(element))
    delete element.dataset.dragging
    element.style.translate = ''
  }
  return {
    onPointerDown: ({ clientX: x, clientY: y, isPrimary, button }) => {
      hasMoved.current = false
      if (isPrimary && button === 0) drag.current = { x, y, isMoving: false }
    },
    onPointerMove: ({ clientX, clientY, currentTarget: element, pointerId }) => {
      const from = drag.current
      if (!from) return
      const [x, y] = [clientX - from.x, clientY - from.y]
      if (!from.isMoving && Math.hypot(x, y) < DRAG_FROM_PX) return
      if (!from.isMoving) element.setPointerCapture(pointerId)
      from.isMoving = true
      hasMoved.current = true
      element.dataset.dragging = ''
      element.style.translate = `${x}px ${y}px`
    },
    onPointerUp: event => end(event, true),
    onPointerCancel: event => end(event, false),
    // The end of a drag is no press.
    onClickCapture: event => {
      if (!hasMoved.current) return
      hasMoved.current = false
      event.stopPropagation()
      event.preventDefault()
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const next = cornerByKey(corner, event.key, isMirrored(event.currentTarget))
      if (!next || event.ctrlKey || event.altKey || event.metaKey) return
      event.preventDefault()
      onMove(next)
    },
  }
}

const isMirrored = (element: Element) => getComputedStyle(element).direction === 'rtl'

function cornerUnder(element: HTMLElement): Corner {
  const stage = element.parentElement?.getBoundingClientRect() ?? new DOMRect()
  const { x, y, width, height } = element.getBoundingClientRect()
  const fromLeft = x + width / 2 - stage.x
  const left = isMirrored(element) ? stage.width - fromLeft : fromLeft
  return nearestCorner(stage, { left, top: y + height / 2 - stage.y })
}

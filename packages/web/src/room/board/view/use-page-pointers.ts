import type { Vector } from '@lectern/board'
import type { BoardPage } from '@lectern/protocol/control/client'
import { type RefObject, useCallback, useMemo, useRef } from 'react'
import type { GestureParts } from '../../stage/zoom/gestures.ts'
import { beginGesture } from '../canvas/gestures.ts'
import type { PageCanvas } from '../canvas/page-canvas.ts'
import { followPointers, type Gesture } from '../canvas/pointers.ts'
import type { Board } from '../model/board.ts'
import type { WrittenText } from './TextField.tsx'
import type { Selection } from './use-selection.ts'

interface Parts {
  board: Board
  page: BoardPage
  canvas: PageCanvas | null
  /** The element that has the size and place of the page. */
  wet: RefObject<HTMLCanvasElement | null>
  mayDraw: boolean
  selection: Selection
  /** A text is written, or changed. */
  onText: (text: WrittenText) => void
}

/**
 * What mouse, pen and fingers do on a page. `pointOf`: where an event is, in units of the page; `follow`: undefined for who
 * only watches.
 */
export function usePagePointers({ board, page, canvas, wet, mayDraw, selection, onText }: Parts) {
  const { select } = selection
  const selected = useRef(selection.element)
  selected.current = selection.element
  const pointOf = useCallback(
    ({ clientX, clientY }: MouseEvent): Vector => {
      const { left, top, width } = wet.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1 }
      const units = page.width / width
      return { x: (clientX - left) * units, y: (clientY - top) * units }
    },
    [wet, page.width],
  )
  const follow = useMemo(() => {
    if (!mayDraw || !canvas) return undefined
    const parts = {
      board,
      canvas,
      pageId: page.page_id,
      pixels: () => (wet.current?.getBoundingClientRect().width ?? page.width) / page.width,
      onText: (next: WrittenText) => {
        select(null)
        onText(next)
      },
      selected: () => selected.current,
      onSelect: select,
    }
    return (pointers: GestureParts, signal: AbortSignal) =>
      followPointers(
        {
          ...pointers,
          pointOf,
          begin: (sample, isEraser) =>
            finishText(pointers.element)
              ? NOTHING
              : beginGesture(parts, isEraser ? 'eraser' : board.tools.get().tool, sample),
          hover: sample =>
            board.laser.point(page.page_id, board.tools.get().tool === 'laser' ? sample : null),
        },
        signal,
      )
  }, [board, canvas, wet, mayDraw, page.page_id, page.width, pointOf, select, onText])
  return { pointOf, follow }
}

const NOTHING: Gesture = { extend: () => {}, end: () => {}, cancel: () => {} }

/** A press beside a text that is being written finishes it, and does nothing else. */
function finishText(area: HTMLElement): boolean {
  const active = document.activeElement
  if (!(active instanceof HTMLTextAreaElement) || !area.contains(active)) return false
  active.blur()
  return true
}

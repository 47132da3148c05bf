import type { BoardElement } from '@lectern/protocol/control/client'
import { useCallback, useEffect, useState } from 'react'
import type { PageCanvas } from '../canvas/page-canvas.ts'
import type { Board } from '../model/board.ts'

export interface Selection {
  /** Null: nothing is selected. */
  element: BoardElement | null
  select: (id: string | null) => void
}

/** The selected element of the page, with a frame around it. */
export function useSelection(
  board: Board,
  canvas: PageCanvas | null,
  pageId: string,
  mayDraw: boolean,
): Selection {
  const [id, setId] = useState<string | null>(null)
  const [element, setElement] = useState<BoardElement | null>(null)
  const select = useCallback((next: string | null) => setId(next), [])
  useEffect(() => {
    const show = () => {
      const found = id === null ? undefined : board.edits.get(pageId, id)
      setElement(found ?? null)
      canvas?.setSelection(found ?? null)
    }
    show()
    return board.edits.onChange(({ ids }) => id !== null && (ids?.includes(id) ?? true) && show())
  }, [board, canvas, pageId, id])
  // A copy of the page has elements with the same ids; and who may not draw any more can do nothing with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, and other rights, begin without a selection
  useEffect(() => setId(null), [pageId, mayDraw])
  // A selection of one tool ends with another tool.
  useEffect(
    () =>
      board.tools.subscribe(() => {
        if (board.tools.get().tool !== 'select') setId(null)
      }),
    [board],
  )
  return { element, select }
}

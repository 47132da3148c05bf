import type { Vector } from '@lectern/board'
import { type RefObject, useEffect } from 'react'
import type { Board } from '../model/board.ts'
import { isNamedOffice } from './office.ts'

interface UseBroughtFilesParts {
  board: Board
  area: RefObject<HTMLElement | null>
  mayDraw: boolean
  /** In units of the page. */
  pointOf: (event: MouseEvent) => Vector
}

const WRITES = 'input, textarea, select, [contenteditable]'

/** Files that are dropped on the page or pasted: images go to the page, documents of a moderator become slides. */
export function useBroughtFiles({ board, area, mayDraw, pointOf }: UseBroughtFilesParts): void {
  useEffect(() => {
    const element = area.current
    if (!mayDraw || !element) return
    const stop = new AbortController()
    const { signal } = stop
    const add = (files: readonly File[], at?: Vector) => {
      const isSlides = (file: File) =>
        (file.type === 'application/pdf' || isNamedOffice(file)) && board.get()?.isModerator
      board.inserts.addSlides(files.filter(isSlides))
      board.inserts.addImages(
        files.filter(each => !isSlides(each)),
        at,
      )
    }
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const onDrop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      add(files, pointOf(event))
    }
    const onPaste = (event: ClipboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest(WRITES)
      if (isElsewhere || document.querySelector('dialog[open]')) return
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) event.preventDefault()
      add(files)
    }
    element.addEventListener('dragover', onDragOver, { signal })
    element.addEventListener('drop', onDrop, { signal })
    document.addEventListener('paste', onPaste, { signal })
    return () => stop.abort()
  }, [board, area, mayDraw, pointOf])
}

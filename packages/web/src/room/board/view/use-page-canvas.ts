import { type RefObject, useEffect, useRef, useState } from 'react'
import { PageCanvas } from '../canvas/page-canvas.ts'
import { filePageOf } from '../files/pictures.ts'
import type { Board, BoardState } from '../model/board.ts'

/** A page that is enlarged is drawn with more pixels, up to this factor, once the fingers rest. */
const SHARP_MAX = 3
const SHARP_AFTER_MS = 200

export interface Canvases {
  base: RefObject<HTMLCanvasElement | null>
  wet: RefObject<HTMLCanvasElement | null>
}

/** The current page on two canvases. `width`: of the page, in CSS pixels; `factor`: by which it is enlarged. */
export function usePageCanvas(
  board: Board,
  { page }: BoardState,
  width: number,
  factor: number,
): Canvases & { canvas: PageCanvas | null } {
  const base = useRef<HTMLCanvasElement>(null)
  const wet = useRef<HTMLCanvasElement>(null)
  const [canvas, setCanvas] = useState<PageCanvas | null>(null)
  const [sharp, setSharp] = useState(1)
  useEffect(() => {
    if (!base.current || !wet.current) return
    const made = new PageCanvas(board, base.current, wet.current)
    setCanvas(made)
    return () => made.close()
  }, [board])
  useEffect(() => {
    const timer = setTimeout(() => setSharp(Math.min(factor, SHARP_MAX)), SHARP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [factor])
  useEffect(() => {
    canvas?.show(page, width * sharp * devicePixelRatio)
  }, [canvas, page, width, sharp])
  return { base, wet, canvas }
}

/** Loads the files of the pages that may be shown next. */
export function usePagesBeside(board: Board, { page, pages }: BoardState, width: number): void {
  useEffect(() => {
    const at = pages.indexOf(page)
    for (const each of at < 0 ? [] : [pages[at + 1], pages[at - 1]]) {
      const file = each && filePageOf(each)
      if (file) board.pictures.get(file, width * devicePixelRatio)
    }
  }, [board, pages, page, width])
}

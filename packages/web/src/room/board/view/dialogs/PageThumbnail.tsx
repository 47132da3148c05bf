import type { BoardPage } from '@lectern/protocol/control/client'
import { useEffect, useRef } from 'react'
import { paintBackground, paintContent } from '../../canvas/painter.ts'
import { filePageOf } from '../../files/pictures.ts'
import type { Board } from '../../model/board.ts'
import styles from './PageThumbnail.module.css'

/** In pixels. */
const WIDTH = 320
const REFRESH_MS = 1_000

/** A small picture of a page, which follows the changes of the page while it is visible. */
export function PageThumbnail({ board, page: newest }: { board: Board; page: BoardPage }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  // Every change of the deck brings all pages again; unchanged ones continue to be watched.
  const known = useRef(newest)
  if (JSON.stringify(known.current) !== JSON.stringify(newest)) known.current = newest
  const page = known.current
  const { page_id: pageId } = page
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    let unwatch: (() => void) | null = null
    let isChanged = true
    const paint = () => {
      // Painting would load the pictures of a page that nobody sees.
      if (!isChanged || !unwatch) return
      isChanged = false
      const scale = element.width / page.width
      context.setTransform(scale, 0, 0, scale, 0, 0)
      const all = { x: 0, y: 0, width: page.width, height: page.height }
      paintBackground(context, board.pictures, page, all)
      for (const each of board.edits.visible(pageId)) paintContent(context, board.pictures, each)
    }
    const onChange = ({ pageId: changed, ids }: { pageId: string; ids: readonly string[] | null }) => {
      if (changed !== pageId) return
      isChanged = true
      // The whole page has arrived.
      if (ids === null) paint()
    }
    const stop = board.edits.onChange(onChange)
    const file = filePageOf(page)
    const stopPictures = board.pictures.onChange(changed => {
      isChanged = true
      if (changed.fileId === file?.fileId && changed.pageNumber === file.pageNumber) paint()
    })
    const timer = setInterval(paint, REFRESH_MS)
    // A connection watches a limited number of pages.
    const observer = new IntersectionObserver(entries => {
      const isVisible = entries.at(-1)?.isIntersecting ?? false
      if (isVisible) {
        unwatch ??= board.call.board.watch(pageId)
        paint()
      } else {
        unwatch?.()
        unwatch = null
      }
    })
    observer.observe(element)
    return () => {
      stop()
      stopPictures()
      clearInterval(timer)
      observer.disconnect()
      unwatch?.()
    }
  }, [board, page, pageId])
  const height = Math.round((WIDTH * page.height) / page.width)
  return <canvas ref={canvas} width={WIDTH} height={height} className={styles.thumbnail} />
}

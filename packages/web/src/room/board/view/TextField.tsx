import { breakText, FONT_FAMILY, fontOf, LINE_HEIGHT, withoutBreaks } from '@lectern/board'
import { BOARD_TEXT_MAX, type BoardPage } from '@lectern/protocol/control/client'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import type { Board } from '../model/board.ts'
import styles from './TextField.module.css'

/** A new text, or one that is changed. In units. */
export interface WrittenText {
  x: number
  y: number
  id?: string
}

interface Props {
  board: Board
  page: BoardPage
  text: WrittenText
  /** CSS pixels in a unit. */
  pixels: number
  onClose: () => void
}

/** What can be written: the breaks that are added for the width are never more. */
export const WRITTEN_MAX = BOARD_TEXT_MAX / 2
const WIDTH = 700
const WIDTH_MIN = 200
const MARGIN = 20

/** The field in which a text is written, where it will be on the page. Escape and a press elsewhere finish it. */
export function TextField({ board, page, text: { x, y, id }, pixels, onClose }: Props) {
  const { t } = useTexts()
  const field = useRef<HTMLTextAreaElement>(null)
  // Also when the board is closed, or taken from this person, while they write.
  const saveLast = useRef(() => {})
  useEffect(() => () => saveLast.current(), [])
  // Another page may be shown before the text is finished.
  const [pageId] = useState(page.page_id)
  useEffect(() => board.call.board.watch(pageId), [board, pageId])
  const [before] = useState(() => {
    const element = id === undefined ? undefined : board.edits.get(pageId, id)
    return element?.kind === 'text' ? element.data : null
  })
  const [written, setWritten] = useState(before ? withoutBreaks(before.text) : '')
  const size = before?.size ?? board.tools.textSize
  const color = before?.color ?? board.tools.color
  // On the page, also where that is narrow.
  const left = before ? x : Math.max(Math.min(x, page.width - WIDTH_MIN - MARGIN), 0)
  const width = before?.width ?? Math.max(Math.round(Math.min(WIDTH, page.width - left - MARGIN)), MARGIN)
  const top = before ? y : Math.max(Math.round(y - (size * LINE_HEIGHT) / 2), 0)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  // As high as what is written.
  useLayoutEffect(() => {
    const { style, scrollHeight } = field.current ?? {}
    if (style && written !== '') style.height = `${scrollHeight}px`
  }, [written])
  const isSaved = useRef(false)
  const save = () => {
    const trimmed = written.trim()
    const text = breakText(trimmed, width, measure(size))
    const isChanged = before ? text !== before.text : trimmed !== ''
    if (!isChanged || isSaved.current) return
    isSaved.current = true
    if (!before || id === undefined)
      board.author.draw(
        { kind: 'text', data: { x: left, y: top, width, text, size, color } },
        undefined,
        pageId,
      )
    else if (trimmed === '') board.author.remove([id], pageId)
    else board.author.change(id, { text }, pageId)
  }
  useEffect(() => {
    saveLast.current = save
  })
  const finish = () => {
    save()
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
    event.preventDefault()
    event.stopPropagation()
    finish()
  }
  return (
    <textarea
      ref={field}
      className={styles.field}
      style={{
        left: left * pixels,
        top: top * pixels,
        width: width * pixels,
        minHeight: size * LINE_HEIGHT * pixels,
        fontSize: size * pixels,
        fontFamily: FONT_FAMILY,
        lineHeight: LINE_HEIGHT,
        color,
      }}
      aria-label={t('board.text.field')}
      dir="auto"
      rows={1}
      maxLength={WRITTEN_MAX}
      value={written}
      onChange={event => setWritten(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={finish}
    />
  )
}

/** The width of a line in the font of texts. */
export function measure(size: number): (line: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = fontOf(size)
  return line => context?.measureText(line).width ?? 0
}

import { FONT_FAMILY, LINE_HEIGHT, withoutBreaks } from '@lectern/board'
import { BOARD_TEXT_MAX, type BoardPage } from '@lectern/protocol/control/client'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import type { Board } from '../model/board.ts'
import { written as asWritten, frameOf, newFrame } from '../model/written-text.ts'
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

/** The longest text that can be written: the breaks that are added for the width are never more. */
export const WRITTEN_MAX = BOARD_TEXT_MAX / 2

/** The field in which a text is written, where it will be on the page. Escape and a press elsewhere finish it. */
export function TextField({ board, page, text: { x, y, id }, pixels, onClose }: Props) {
  const { t } = useTexts()
  const field = useRef<HTMLTextAreaElement>(null)
  // Also when the board is closed, or taken from this person, while they write.
  const saveLast = useRef(() => {})
  useEffect(() => () => saveLast.current(), [])
  // Another page may be shown before the text is finished.
  const [ownPage] = useState(page)
  const { page_id: pageId } = ownPage
  useEffect(() => board.call.board.watch(pageId), [board, pageId])
  const [before] = useState(() => {
    const element = id === undefined ? undefined : board.edits.get(pageId, id)
    return element?.kind === 'text' ? element.data : null
  })
  const [written, setWritten] = useState(before ? withoutBreaks(before.text) : '')
  const size = before?.size ?? board.tools.textSize
  const color = before?.color ?? board.tools.color
  const top = Math.max(Math.round(y - (size * LINE_HEIGHT) / 2), 0)
  const frame = before ? frameOf(ownPage, before) : newFrame(ownPage, { x, y: top }, size, written)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  // The field grows to the height of its text.
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = ''
    if (written !== '') current.style.height = `${current.scrollHeight}px`
  }, [written])
  const isSaved = useRef(false)
  const save = () => {
    const trimmed = written.trim()
    const isChanged = before ? trimmed !== withoutBreaks(before.text) : trimmed !== ''
    if (!isChanged || isSaved.current) return
    isSaved.current = true
    if (!before || id === undefined)
      board.author.draw(
        { kind: 'text', data: { ...frame, ...asWritten(trimmed, frame), color } },
        undefined,
        pageId,
      )
    else if (trimmed === '') board.author.remove([id], pageId)
    else board.author.change(id, asWritten(trimmed, frame), pageId)
  }
  useEffect(() => {
    saveLast.current = save
  })
  const finish = () => {
    save()
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape and Enter are the input method's, while it has an unfinished word.
    if (event.nativeEvent.isComposing) return
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
        left: frame.x * pixels,
        top: frame.y * pixels,
        width: frame.width * pixels,
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

import { boundsOf, LINE_HEIGHT, SHAPE_KINDS, type ShapeKind } from '@lectern/board'
import type { BoardPage } from '@lectern/protocol/control/client'
import { useId, useState } from 'react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { Button } from '../../../../ui/Button.tsx'
import type { Board } from '../../model/board.ts'
import { written } from '../../model/written-text.ts'
import { WRITTEN_MAX } from '../TextField.tsx'
import styles from './Dialogs.module.css'

/** In units. */
const MARGIN = 60
const SHAPE = { width: 300, height: 180 }

/** Adds a text or a shape without pointing: below what is there, or in the middle of a full page. */
export function AddElement({ board, page }: { board: Board; page: BoardPage }) {
  const { t } = useTexts()
  const field = useId()
  const [text, setText] = useState('')
  const [kind, setKind] = useState<ShapeKind>('rectangle')
  const top = (height: number) => {
    const bottoms = board.edits.visible(page.page_id).map(each => {
      const { y, height: high } = boundsOf(each)
      return Math.round(y + high)
    })
    const next = Math.max(0, ...bottoms) + MARGIN / 2
    return next + height < page.height ? Math.max(next, MARGIN) : Math.round((page.height - height) / 2)
  }
  const addText = () => {
    const size = board.tools.textSize
    const width = page.width - 2 * MARGIN
    const frame = { x: MARGIN, y: top(size * LINE_HEIGHT), width, size }
    const data = { ...frame, ...written(text.trim(), frame), color: board.tools.color }
    board.author.draw({ kind: 'text', data })
    setText('')
  }
  const addShape = () => {
    const y1 = top(SHAPE.height)
    const place = { x1: MARGIN, y1, x2: MARGIN + SHAPE.width, y2: y1 + SHAPE.height }
    board.author.draw({ kind, data: { ...place, color: board.tools.color, width: board.tools.width } })
  }
  return (
    <div className={styles.editor}>
      <form
        className={styles.add}
        onSubmit={event => {
          event.preventDefault()
          if (text.trim() !== '') addText()
        }}
      >
        <label htmlFor={field}>{t('board.text.new')}</label>
        <input
          id={field}
          className={styles.field}
          dir="auto"
          maxLength={WRITTEN_MAX}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <Button secondary>{t('board.elements.addText')}</Button>
      </form>
      <div className={styles.add}>
        <select
          className={styles.select}
          aria-label={t('board.shapes')}
          value={kind}
          onChange={event => setKind(event.target.value as ShapeKind)}
        >
          {SHAPE_KINDS.map(each => (
            <option key={each} value={each}>
              {t(`board.tool.${each}`)}
            </option>
          ))}
        </select>
        <Button secondary onClick={addShape}>
          {t('board.elements.addShape')}
        </Button>
      </div>
    </div>
  )
}

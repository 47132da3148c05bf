import { withoutBreaks } from '@lectern/board'
import type { BoardElement } from '@lectern/protocol/control/client'
import { ArrowUp, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { Button } from '../../../../ui/Button.tsx'
import type { Board } from '../../model/board.ts'
import { isSizable } from '../../model/resize.ts'
import { COLORS, type ColorName } from '../../model/tools.ts'
import { frameOf, written } from '../../model/written-text.ts'
import { SizeButtons } from '../PageLine.tsx'
import { WRITTEN_MAX } from '../TextField.tsx'
import { ToolButton } from '../tools/ToolButton.tsx'
import { KEY_STEP } from '../use-board-keys.ts'
import styles from './Dialogs.module.css'

/** A press moves it farther than an arrow key, which repeats. */
const STEP = 5 * KEY_STEP

/** Moves, changes or removes an element by buttons. */
export function ElementActions({ board, element }: { board: Board; element: BoardElement }) {
  const { t } = useTexts()
  const id = element.element_id
  const move = (dx: number, dy: number) => board.author.move([id], dx * STEP, dy * STEP)
  return (
    <div className={styles.editor}>
      {element.kind === 'text' && <TextChange key={element.version} board={board} element={element} />}
      <div className={styles.actions}>
        <ToolButton icon={ArrowUp} turn={-90} label={t('board.element.left')} onClick={() => move(-1, 0)} />
        <ToolButton icon={ArrowUp} turn={90} label={t('board.element.right')} onClick={() => move(1, 0)} />
        <ToolButton icon={ArrowUp} label={t('board.element.up')} onClick={() => move(0, -1)} />
        <ToolButton icon={ArrowUp} turn={180} label={t('board.element.down')} onClick={() => move(0, 1)} />
        {isSizable(element) && <SizeButtons board={board} element={element} />}
        {element.kind !== 'image' && (
          <select
            className={styles.select}
            aria-label={t('board.color.title')}
            value={element.data.color}
            onChange={event => board.author.change(id, { color: event.target.value })}
          >
            {(Object.keys(COLORS) as ColorName[]).map(each => (
              <option key={each} value={COLORS[each]}>
                {t(`board.color.${each}`)}
              </option>
            ))}
          </select>
        )}
        <ToolButton
          icon={Trash2}
          label={t('board.element.remove')}
          onClick={() => board.author.remove([id])}
        />
      </div>
    </div>
  )
}

function TextChange({ board, element }: { board: Board; element: Extract<BoardElement, { kind: 'text' }> }) {
  const { t } = useTexts()
  const field = useId()
  const [text, setText] = useState(withoutBreaks(element.data.text))
  const save = () => {
    const page = board.get()?.page
    if (page) board.author.change(element.element_id, written(text.trim(), frameOf(page, element.data)))
  }
  return (
    <div className={styles.add}>
      <label htmlFor={field}>{t('board.text.field')}</label>
      <textarea
        id={field}
        className={styles.field}
        dir="auto"
        rows={2}
        maxLength={WRITTEN_MAX}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <Button secondary busy={text.trim() === ''} onClick={save}>
        {t('board.element.save')}
      </Button>
    </div>
  )
}

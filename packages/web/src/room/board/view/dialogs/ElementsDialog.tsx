import { inReadingOrder } from '@lectern/board'
import type { BoardElement } from '@lectern/protocol/control/client'
import { useEffect, useReducer, useState } from 'react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { mayChange } from '../../canvas/gestures.ts'
import { usePageText } from '../../files/PagePicture.tsx'
import { AddElement } from './AddElement.tsx'
import styles from './Dialogs.module.css'
import { ElementActions } from './ElementActions.tsx'
import type { BoardDialogProps } from './props.ts'
import { useDescription } from './use-description.ts'

/** In larger pages nobody looks for an element in a list. */
const SHOWN_MAX = 300

/** The elements of the page in the order in which one reads, for those who do not see or point: also to add some. */
export function ElementsDialog({ board, state, onClose }: BoardDialogProps) {
  const { t } = useTexts()
  const pageId = state.page.page_id
  const [, update] = useReducer((count: number) => count + 1, 0)
  const [openId, setOpenId] = useState<string | null>(null)
  const describe = useDescription(board)
  useEffect(
    () => board.edits.onChange(({ pageId: changed }) => changed === pageId && update()),
    [board, pageId],
  )
  const elements = inReadingOrder(board.edits.visible(pageId))
  const isMine = mayChange(board)
  const written = usePageText(board, state.page)
  const item = (element: BoardElement) => {
    const id = element.element_id
    const isOpen = id === openId
    const mayEdit = state.mayDraw && isMine(element.author_id)
    return (
      <li key={id} className={styles.element}>
        {mayEdit ? (
          <button
            type="button"
            className={styles.option}
            aria-expanded={isOpen}
            onClick={() => setOpenId(isOpen ? null : id)}
          >
            {describe(element)}
          </button>
        ) : (
          <p className={styles.option}>{describe(element)}</p>
        )}
        {isOpen && mayEdit && <ElementActions board={board} element={element} />}
      </li>
    )
  }
  return (
    <Dialog title={t('board.elements.title')} onClose={onClose}>
      {state.mayDraw && <AddElement board={board} page={state.page} />}
      {written.length > 0 && <p className={styles.written}>{written.join('\n')}</p>}
      {elements.length === 0 && written.length === 0 && (
        <p className={styles.empty}>{t('board.elements.none')}</p>
      )}
      <ul className={styles.list}>{elements.slice(0, SHOWN_MAX).map(item)}</ul>
      {elements.length > SHOWN_MAX && (
        <p className={styles.empty}>{t('board.elements.others', { more: elements.length - SHOWN_MAX })}</p>
      )}
    </Dialog>
  )
}

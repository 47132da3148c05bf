import {
  ChevronLeft,
  ChevronRight,
  Layers,
  Maximize2,
  Minimize2,
  Pencil,
  Plus,
  Trash2,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import { useValue } from '../../../use-value.ts'
import { useModeratorTerm } from '../../moderator-term.ts'
import type { Board, BoardState } from '../model/board.ts'
import { isSizable, type Sizable, scaled } from '../model/resize.ts'
import type { OpenDialog } from './dialogs/props.ts'
import styles from './PageLine.module.css'
import type { BoardPlace } from './place.ts'
import type { WrittenText } from './TextField.tsx'
import { ToolButton } from './tools/ToolButton.tsx'
import { turnPage } from './use-page-keys.ts'
import type { Selection } from './use-selection.ts'

interface Props {
  board: Board
  place: BoardPlace
  state: BoardState
  selection: Selection
  onText: (text: WrittenText) => void
  onDialog: (dialog: OpenDialog) => void
}

const SIZE_STEP = 1.25

/** The line below the page: which one it is, and the way to the others. */
export function PageLine(props: Props) {
  const { element } = props.selection
  if (element) return <SelectionLine {...props} />
  return props.state.page.owner_id === undefined ? <DeckLine {...props} /> : <CopyLine {...props} />
}

function SelectionLine({ board, selection, onText }: Props) {
  const { t } = useTexts()
  const { element, select } = selection
  if (!element) return null
  const id = element.element_id
  return (
    <>
      {element.kind === 'text' && (
        <ToolButton
          icon={Pencil}
          label={t('board.element.edit')}
          onClick={() => {
            onText({ x: element.data.x, y: element.data.y, id })
            select(null)
          }}
        />
      )}
      {isSizable(element) && <SizeButtons board={board} element={element} />}
      <ToolButton
        icon={Trash2}
        label={t('board.element.remove')}
        onClick={() => {
          board.author.remove([id])
          select(null)
        }}
      />
    </>
  )
}

/** Makes an element larger or smaller around its middle. */
export function SizeButtons({ board, element }: { board: Board; element: Sizable }) {
  const { t } = useTexts()
  const scale = (by: number) => () => board.author.change(element.element_id, scaled(element, by))
  return (
    <>
      <ToolButton icon={Maximize2} label={t('board.element.larger')} onClick={scale(SIZE_STEP)} />
      <ToolButton icon={Minimize2} label={t('board.element.smaller')} onClick={scale(1 / SIZE_STEP)} />
    </>
  )
}

function DeckLine({ board, place, state, onDialog }: Props) {
  const { t } = useTexts()
  const { page, pages, isModerator, mayTurnPages } = state
  const at = pages.indexOf(page)
  const position = t('board.page', { page: at + 1, pages: pages.length })
  const { ownPageId } = place
  const moderator = useModeratorTerm()
  const lookAt = useValue(place.lookAt)
  const turns = (middle: ReactNode) => (
    <>
      <ToolButton
        icon={ChevronLeft}
        label={t('board.previous')}
        isDisabled={at <= 0}
        onClick={() => turnPage(board, place, -1)}
      />
      {middle}
      <ToolButton
        icon={ChevronRight}
        label={t('board.next')}
        isDisabled={at >= pages.length - 1}
        onClick={() => turnPage(board, place, 1)}
      />
    </>
  )
  const where = <span className={styles.position}>{position}</span>
  if (!isModerator)
    return (
      <>
        {pages.length > 1 && mayTurnPages ? turns(where) : where}
        {lookAt !== null && (
          <button type="button" className={styles.word} onClick={() => place.lookAt.set(null)}>
            <Undo2 aria-hidden="true" />
            {t('board.follow', moderator)}
          </button>
        )}
        {ownPageId && (
          <button type="button" className={styles.word} onClick={() => place.lookAt.set(ownPageId)}>
            {t('bar.myPage')}
          </button>
        )}
      </>
    )
  return (
    <>
      {turns(
        <button
          type="button"
          className={styles.word}
          aria-label={`${position}, ${t('board.pages')}`}
          onClick={() => onDialog('pages')}
        >
          <Layers aria-hidden="true" />
          {`${at + 1} / ${pages.length}`}
        </button>,
      )}
      <ToolButton
        icon={Plus}
        label={t('board.addPage')}
        isDisabled={!board.canAddPage}
        onClick={() => onDialog('add')}
      />
    </>
  )
}

/** The line above a private copy: the own one, one that a moderator looks at, or one that is shown to everybody. */
function CopyLine({ board, place, state, onDialog }: Props) {
  const { t } = useTexts()
  const { page, pages, isModerator, isShown } = state
  const lookAt = useValue(place.lookAt)
  const name = board.nameOf(page.owner_id ?? null) ?? t('board.somebody')
  const copies = state.copies.filter(each => isModerator || each.owner_id === page.owner_id)
  const at = copies.findIndex(each => each.page_id === page.page_id)
  const isOwn = !isModerator && lookAt !== null
  const goBack = () => {
    place.lookAt.set(null)
    // If the copy is shown to everybody, everybody goes back. After a failure it stays.
    if (isModerator && isShown && pages[0]) void board.show(pages[0].page_id).catch(() => {})
  }
  return (
    <>
      {(isModerator || lookAt !== null) && (
        <ToolButton icon={Undo2} label={t('board.copies.back')} onClick={goBack} />
      )}
      {copies.length > 1 && lookAt !== null && (
        <>
          <ToolButton
            icon={ChevronLeft}
            label={t('board.previous')}
            isDisabled={at <= 0}
            onClick={() => place.lookAt.set(copies[at - 1]?.page_id ?? lookAt)}
          />
          <ToolButton
            icon={ChevronRight}
            label={t('board.next')}
            isDisabled={at >= copies.length - 1}
            onClick={() => place.lookAt.set(copies[at + 1]?.page_id ?? lookAt)}
          />
        </>
      )}
      <span className={styles.position}>{isOwn ? t('bar.myPage') : t('board.copies.of', { name })}</span>
      {isModerator && (
        <button type="button" className={styles.word} onClick={() => onDialog('copies')}>
          {t('board.copies.title')}
        </button>
      )}
      {isModerator && !isShown && (
        <button
          type="button"
          className={styles.word}
          onClick={() => void board.showCopy(page.page_id).catch(() => {})}
        >
          {t('board.copies.show')}
        </button>
      )}
    </>
  )
}

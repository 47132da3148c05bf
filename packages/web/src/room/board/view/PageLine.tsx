import { ChevronLeft, ChevronRight, Layers, Pencil, Plus, Trash2, Undo2 } from 'lucide-react'
import { useTexts } from '../../../texts/use-texts.ts'
import { useValue } from '../../../use-value.ts'
import type { Board, BoardState } from '../model/board.ts'
import { authorName } from './author-name.ts'
import type { OpenDialog } from './dialogs/props.ts'
import styles from './PageLine.module.css'
import type { BoardPlace } from './place.ts'
import type { WrittenText } from './TextField.tsx'
import { ToolButton } from './tools/ToolButton.tsx'
import type { Selection } from './use-selection.ts'

interface Props {
  board: Board
  place: BoardPlace
  state: BoardState
  selection: Selection
  onText: (text: WrittenText) => void
  onDialog: (dialog: OpenDialog) => void
}

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

function DeckLine({ board, place, state, onDialog }: Props) {
  const { t } = useTexts()
  const { page, pages, isModerator } = state
  const at = pages.indexOf(page)
  const position = t('board.page', { page: at + 1, pages: pages.length })
  const { ownPageId } = place
  const show = (by: number) => {
    const next = pages[at + by]
    // After a failure the present page stays.
    if (next) void board.show(next.page_id).catch(() => {})
  }
  if (!isModerator)
    return (
      <>
        <span className={styles.position}>{position}</span>
        {ownPageId && (
          <button type="button" className={styles.word} onClick={() => place.lookAt.set(ownPageId)}>
            {t('bar.myPage')}
          </button>
        )}
      </>
    )
  return (
    <>
      <ToolButton
        icon={ChevronLeft}
        label={t('board.previous')}
        isDisabled={at <= 0}
        onClick={() => show(-1)}
      />
      <button
        type="button"
        className={styles.word}
        aria-label={`${position}, ${t('board.pages')}`}
        onClick={() => onDialog('pages')}
      >
        <Layers aria-hidden="true" />
        {`${at + 1} / ${pages.length}`}
      </button>
      <ToolButton
        icon={ChevronRight}
        label={t('board.next')}
        isDisabled={at >= pages.length - 1}
        onClick={() => show(1)}
      />
      <ToolButton
        icon={Plus}
        label={t('board.addPage')}
        isDisabled={!board.canAddPage}
        onClick={() => onDialog('add')}
      />
    </>
  )
}

/** Of a private copy: the own one, one that a moderator looks at, or one that is shown to everybody. */
function CopyLine({ board, place, state, onDialog }: Props) {
  const { t } = useTexts()
  const { page, pages, isModerator, isShown } = state
  const lookAt = useValue(place.lookAt)
  const name = useOwnerName(board, page.owner_id ?? null)
  const isOwn = page.page_id === place.ownPageId
  const goBack = () => {
    place.lookAt.set(null)
    // Where it is shown to everybody, everybody goes back. After a failure it stays.
    if (isModerator && isShown && pages[0]) void board.show(pages[0].page_id).catch(() => {})
  }
  return (
    <>
      {(isModerator || lookAt !== null) && (
        <ToolButton icon={Undo2} label={t('board.copies.back')} onClick={goBack} />
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

function useOwnerName(board: Board, userId: string | null): string {
  const { t } = useTexts()
  const state = useValue(board.call)
  return (state.is === 'joined' && authorName(state, userId)) || t('board.somebody')
}

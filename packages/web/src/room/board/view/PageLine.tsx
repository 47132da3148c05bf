import { ChevronLeft, ChevronRight, Layers, Pencil, Plus, Trash2, Undo2 } from 'lucide-react'
import { useTexts } from '../../../texts/use-texts.ts'
import type { Board, BoardState } from '../model/board.ts'
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

/** Of a private copy: the owner's, or one that a moderator looks at. */
function CopyLine({ board, place, state, onDialog }: Props) {
  const { t } = useTexts()
  const { page, isModerator, isShown } = state
  const owner = board.call.get()
  const name =
    owner.is === 'joined'
      ? owner.session.participants.find(each => each.user_id === page.owner_id)?.display_name
      : undefined
  return (
    <>
      <ToolButton icon={Undo2} label={t('board.copies.back')} onClick={() => place.lookAt.set(null)} />
      <span className={styles.position}>
        {isModerator ? t('board.copies.of', { name: name ?? t('board.somebody') }) : t('bar.myPage')}
      </span>
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

import { useTexts } from '../../../texts/use-texts.ts'
import { PageFailure } from '../files/PagePicture.tsx'
import type { Board, BoardState } from '../model/board.ts'
import styles from './BoardView.module.css'
import type { BoardLayout } from './layout.ts'
import { TextField, type WrittenText } from './TextField.tsx'
import type { Canvases } from './use-page-canvas.ts'

interface Props {
  board: Board
  state: BoardState
  layout: BoardLayout
  canvases: Canvases
  /** The text that is being written. */
  text: WrittenText | null
  onTextClosed: () => void
}

/** The page in the middle of its area: the canvases, and what lies above them. */
export function Paper({ board, state: { page, pages }, layout, canvases, text, onTextClosed }: Props) {
  const { t } = useTexts()
  const { area, content } = layout
  const paper = {
    ...content,
    left: (area.width - content.width) / 2,
    top: (area.height - content.height) / 2,
  }
  return (
    <>
      <div
        className={styles.paper}
        style={paper}
        role="img"
        aria-label={t('board.page', { page: pages.indexOf(page) + 1 || 1, pages: pages.length || 1 })}
      >
        <canvas ref={canvases.base} className={styles.canvas} />
        <canvas ref={canvases.wet} className={styles.canvas} />
      </div>
      <div className={styles.over} style={paper}>
        <PageFailure board={board} page={page} />
      </div>
      {text && (
        <div className={styles.over} style={paper}>
          <TextField
            key={`${text.id} ${text.x} ${text.y}`}
            board={board}
            page={page}
            text={text}
            pixels={content.width / page.width}
            onClose={onTextClosed}
          />
        </div>
      )}
    </>
  )
}

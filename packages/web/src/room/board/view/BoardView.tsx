import { useCallback, useEffect, useState } from 'react'
import '@lectern/board/fonts.css'
import { useValue } from '../../../use-value.ts'
import type { JoinedState } from '../../joined-state.ts'
import type { Size } from '../../stage/layout/geometry.ts'
import { layoutUnit } from '../../stage/layout/layout-unit.ts'
import { useZoom } from '../../stage/zoom/use-zoom.ts'
import { ZoomButtons } from '../../stage/zoom/ZoomButtons.tsx'
import { InsertNote } from '../files/InsertNote.tsx'
import { PageText } from '../files/PagePicture.tsx'
import { useBroughtFiles } from '../files/use-brought-files.ts'
import type { Board, BoardState } from '../model/board.ts'
import { Announcer } from './Announcer.tsx'
import styles from './BoardView.module.css'
import { BoardDialogs } from './dialogs/BoardDialogs.tsx'
import type { OpenDialog } from './dialogs/props.ts'
import { layoutBoard } from './layout.ts'
import { PageLine } from './PageLine.tsx'
import { Paper } from './Paper.tsx'
import type { BoardPlace } from './place.ts'
import { RefusalNote } from './RefusalNote.tsx'
import type { WrittenText } from './TextField.tsx'
import { Toolbar } from './tools/Toolbar.tsx'
import { useBoardKeys } from './use-board-keys.ts'
import { usePageCanvas, usePagesBeside } from './use-page-canvas.ts'
import { usePageKeys } from './use-page-keys.ts'
import { usePagePointers } from './use-page-pointers.ts'
import { useSelection } from './use-selection.ts'

interface Props {
  board: Board
  place: BoardPlace
  joined: JoinedState
  size: Size
}

/** The board in its tile. */
export function BoardView({ board, ...props }: Props) {
  const state = useValue(board)
  return state && <OpenBoard {...props} board={board} state={state} />
}

function OpenBoard({ board, place, joined, size, state }: Props & { state: BoardState }) {
  const { page, mayDraw } = state
  const layout = layoutBoard(size, page, mayDraw, layoutUnit())
  const { area, content } = layout
  const [text, setText] = useState<WrittenText | null>(null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [factor, setFactor] = useState(1)
  const { canvas, ...canvases } = usePageCanvas(board, state, content.width, factor)
  const selection = useSelection(board, canvas, page.page_id, mayDraw)
  const { select } = selection
  const { onSize } = place
  useEffect(() => onSize(layout.wanted), [onSize, layout.wanted])
  usePagesBeside(board, state, content.width)
  const { pointOf, follow } = usePagePointers({
    ...{ board, page, canvas, mayDraw, selection },
    wet: canvases.wet,
    onText: setText,
  })
  const zoom = useZoom({ area, content }, true, setFactor, follow)
  const closeText = useCallback(() => setText(null), [])
  useEffect(() => canvas?.setWritten(text?.id ?? null), [canvas, text])
  useBoardKeys(board, mayDraw, selection)
  usePageKeys(board, place)
  useBroughtFiles({ board, area: zoom.area, mayDraw, pointOf })
  useEffect(
    () =>
      board.inserts.onInserted(id => {
        board.tools.choose({ tool: 'select' })
        select(id)
      }),
    [board, select],
  )
  const { tool } = useValue(board.tools)

  return (
    <div className={styles.board} data-tools={layout.tools ?? undefined}>
      {mayDraw && (
        <Toolbar
          board={board}
          side={layout.tools ?? 'beside'}
          isShort={layout.isShort}
          selection={selection}
          onDialog={setDialog}
        />
      )}
      <div className={styles.middle}>
        <div
          ref={zoom.area}
          className={styles.area}
          style={{ height: area.height }}
          data-tool={mayDraw ? tool : undefined}
        >
          <div ref={zoom.content} className={styles.content}>
            <Paper {...{ board, state, layout, canvases, text }} onTextClosed={closeText} />
          </div>
        </div>
        <div className={styles.line}>
          <PageLine
            board={board}
            place={place}
            state={state}
            selection={selection}
            onText={setText}
            onDialog={setDialog}
          />
          <ZoomButtons frame={{ area, content }} zoom={zoom} />
        </div>
        <PageText board={board} page={page} />
        <InsertNote board={board} />
        <RefusalNote board={board} />
      </div>
      <Announcer board={board} joined={joined} pageId={page.page_id} />
      {dialog && (
        <BoardDialogs
          open={dialog}
          board={board}
          place={place}
          joined={joined}
          state={state}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import '@lectern/board/fonts.css'
import type { Vector } from '@lectern/board'
import { useTexts } from '../../../texts/use-texts.ts'
import { useValue } from '../../../use-value.ts'
import type { JoinedState } from '../../joined-state.ts'
import type { Size } from '../../stage/layout/geometry.ts'
import { layoutUnit } from '../../stage/layout/layout-unit.ts'
import { useZoom } from '../../stage/zoom/use-zoom.ts'
import { ZoomButtons } from '../../stage/zoom/ZoomButtons.tsx'
import { beginGesture } from '../canvas/gestures.ts'
import { PageCanvas } from '../canvas/page-canvas.ts'
import { followPointers, type Gesture } from '../canvas/pointers.ts'
import { InsertNote } from '../files/InsertNote.tsx'
import { PageFailure, PageText } from '../files/PagePicture.tsx'
import { filePageOf } from '../files/pictures.ts'
import { useBroughtFiles } from '../files/use-brought-files.ts'
import type { Board, BoardState } from '../model/board.ts'
import { Announcer } from './Announcer.tsx'
import styles from './BoardView.module.css'
import { BoardDialogs } from './dialogs/BoardDialogs.tsx'
import type { OpenDialog } from './dialogs/props.ts'
import { layoutBoard } from './layout.ts'
import { PageLine } from './PageLine.tsx'
import type { BoardPlace } from './place.ts'
import { RefusalNote } from './RefusalNote.tsx'
import { TextField, type WrittenText } from './TextField.tsx'
import { Toolbar } from './tools/Toolbar.tsx'
import { useBoardKeys } from './use-board-keys.ts'
import { usePageKeys } from './use-page-keys.ts'
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

/** A page that is enlarged is drawn with more pixels, up to this factor, once the fingers rest. */
const SHARP_MAX = 3
const SHARP_AFTER_MS = 200

function OpenBoard({ board, place, joined, size, state }: Props & { state: BoardState }) {
  const { t } = useTexts()
  const { page, pages, mayDraw } = state
  const layout = layoutBoard(size, page, mayDraw, layoutUnit())
  const { area, content } = layout
  const base = useRef<HTMLCanvasElement>(null)
  const wet = useRef<HTMLCanvasElement>(null)
  const [canvas, setCanvas] = useState<PageCanvas | null>(null)
  const [text, setText] = useState<WrittenText | null>(null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [factor, setFactor] = useState(1)
  const [sharp, setSharp] = useState(1)
  const selection = useSelection(board, canvas, page.page_id, mayDraw)
  const { select } = selection
  const selected = useRef(selection.element)
  selected.current = selection.element
  useEffect(() => {
    if (!base.current || !wet.current) return
    const made = new PageCanvas(board, base.current, wet.current)
    setCanvas(made)
    return () => made.close()
  }, [board])
  const pixels = content.width / page.width
  useEffect(() => {
    const timer = setTimeout(() => setSharp(Math.min(factor, SHARP_MAX)), SHARP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [factor])
  useEffect(() => {
    canvas?.show(page, content.width * sharp * devicePixelRatio)
  }, [canvas, page, content.width, sharp])
  const { onSize } = place
  useEffect(() => onSize(layout.wanted), [onSize, layout.wanted])

  // A page that may be shown next is loaded then.
  useEffect(() => {
    const at = pages.indexOf(page)
    for (const each of at < 0 ? [] : [pages[at + 1], pages[at - 1]]) {
      const file = each && filePageOf(each)
      if (file) board.pictures.get(file, content.width * devicePixelRatio)
    }
  }, [board, pages, page, content.width])
  const pointOf = useCallback(
    ({ clientX, clientY }: MouseEvent): Vector => {
      const { left, top, width } = wet.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1 }
      const units = page.width / width
      return { x: (clientX - left) * units, y: (clientY - top) * units }
    },
    [page.width],
  )
  const follow = useMemo(() => {
    if (!mayDraw || !canvas) return undefined
    const parts = {
      board,
      canvas,
      pageId: page.page_id,
      pixels: () => (wet.current?.getBoundingClientRect().width ?? page.width) / page.width,
      onText: (next: WrittenText) => {
        select(null)
        setText(next)
      },
      selected: () => selected.current,
      onSelect: select,
    }
    return (pointers: PointerParts, signal: AbortSignal) =>
      followPointers(
        {
          ...pointers,
          pointOf,
          begin: (sample, isEraser) =>
            finishText(pointers.element)
              ? NOTHING
              : beginGesture(parts, isEraser ? 'eraser' : board.tools.get().tool, sample),
          hover: sample =>
            board.laser.point(page.page_id, board.tools.get().tool === 'laser' ? sample : null),
        },
        signal,
      )
  }, [board, canvas, mayDraw, page.page_id, page.width, pointOf, select])
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
  const paper = {
    ...content,
    left: (area.width - content.width) / 2,
    top: (area.height - content.height) / 2,
  }

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
            <div
              className={styles.paper}
              style={paper}
              role="img"
              aria-label={t('board.page', { page: pages.indexOf(page) + 1 || 1, pages: pages.length || 1 })}
            >
              <canvas ref={base} className={styles.canvas} />
              <canvas ref={wet} className={styles.canvas} />
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
                  pixels={pixels}
                  onClose={closeText}
                />
              </div>
            )}
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

const NOTHING: Gesture = { extend: () => {}, end: () => {}, cancel: () => {} }

/** A press beside a text that is being written finishes it, and does nothing else. */
function finishText(area: HTMLElement): boolean {
  const active = document.activeElement
  if (!(active instanceof HTMLTextAreaElement) || !area.contains(active)) return false
  active.blur()
  return true
}

type PointerParts = Parameters<NonNullable<Parameters<typeof useZoom>[3]>>[0]

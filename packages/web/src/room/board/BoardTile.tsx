import { type ComponentProps, useEffect, useMemo, useState } from 'react'
import { loadBoardTexts } from '../../texts/texts.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { BOARD_TILE } from '../stage/layout/board-tile.ts'
import { type Rect, type Size, styleOf } from '../stage/layout/geometry.ts'
import styles from './BoardTile.module.css'
import type { BoardView } from './view/BoardView.tsx'

interface Props {
  room: Room
  joined: JoinedState
  rect: Rect
}

type Loaded = { View: typeof BoardView; board: ComponentProps<typeof BoardView>['board'] }

const RETRY_MS = 2_000

/** The large tile with the board, whose code loads with the first one. */
export function BoardTile({ room, joined, rect }: Props) {
  const { t, texts } = useTexts()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    Promise.all([room.board.load(), loadBoardTexts(texts)]).then(
      ([code]) => isOver || setLoaded(code),
      () => {
        timer = setTimeout(() => setAttempt(each => each + 1), RETRY_MS)
      },
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [room, texts, attempt])
  const slides = useValue(room.board.slides)
  useEffect(() => {
    // The view is there, and says what becomes of them.
    if (!loaded || slides.length === 0) return
    room.board.slides.set([])
    loaded.board.inserts.addSlides(slides)
  }, [room, loaded, slides])
  const { ownPageId } = useValue(room.board)
  const place = useMemo(
    () => ({
      lookAt: room.board.lookAt,
      ownPageId,
      onSize: (size: Size) => room.stage.setVideoSize(BOARD_TILE, size),
    }),
    [room, ownPageId],
  )
  return (
    <div className={styles.tile} style={styleOf(rect)} data-tile="board" data-tile-id={BOARD_TILE}>
      {loaded ? (
        <loaded.View board={loaded.board} place={place} joined={joined} size={rect} />
      ) : (
        <p className={styles.loading}>{t('bar.boardLoading')}</p>
      )}
    </div>
  )
}

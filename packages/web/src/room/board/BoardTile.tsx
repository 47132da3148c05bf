import { type ComponentProps, useEffect, useState } from 'react'
import { loadBoardTexts } from '../../texts/texts.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { type Rect, styleOf } from '../stage/layout/geometry.ts'
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
      ([{ board, code }]) => isOver || setLoaded({ View: code.BoardView, board }),
      () => {
        timer = setTimeout(() => setAttempt(each => each + 1), RETRY_MS)
      },
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [room, texts, attempt])
  return (
    <div className={styles.tile} style={styleOf(rect)} data-tile="board" data-tile-id="board">
      {loaded ? (
        <loaded.View board={loaded.board} room={room} joined={joined} size={rect} />
      ) : (
        <p className={styles.loading}>{t('bar.boardLoading')}</p>
      )}
    </div>
  )
}

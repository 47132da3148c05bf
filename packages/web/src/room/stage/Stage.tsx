import { useLayoutEffect, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { BoardTile } from '../board/BoardTile.tsx'
import type { JoinedState } from '../joined-state.ts'
import { isNamesake } from '../people/namesake.ts'
import type { Room } from '../room.ts'
import { BOARD_TILE } from './layout/board-tile.ts'
import type { Rect } from './layout/geometry.ts'
import { layoutUnit } from './layout/layout-unit.ts'
import { coveredWidth } from './layout/own-view.ts'
import styles from './Stage.module.css'
import { handsOf } from './tiles/hands.ts'
import { PageButtons } from './tiles/PageButtons.tsx'
import { PersonTile } from './tiles/PersonTile.tsx'
import { ScreenTile } from './tiles/ScreenTile.tsx'
import { WaitingTile } from './tiles/WaitingTile.tsx'
import { FACE_CROP, FILL_CROP } from './video/video-zoom.ts'

/**
 * The visible tiles of people and screens. They are moved by style only and keep their order in the document: a
 * video element that is moved in the document is interrupted.
 */
export function Stage({ room, joined }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const { stage } = room
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      const { width, height } = entry.contentRect
      stage.setSize({ width, height }, devicePixelRatio, layoutUnit())
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [stage])
  const { tiles, rects, large, overlay, corner, isFilled, waiting, pager } = useValue(stage)
  const { pinned } = useValue(room.spotlight)
  const board = rects.get(BOARD_TILE)
  const own = overlay === null ? undefined : rects.get(overlay)
  /** What the own view takes from the large tile. */
  const besideOwn = (rect: Rect) => {
    const covered = own && coveredWidth(own, rect, corner)
    return covered == null ? null : { corner, covered }
  }
  const hands = handsOf(joined.session.participants)
  return (
    <section ref={element} className={styles.stage} aria-label={t('room.stage')}>
      {tiles.map(tile => {
        const rect = rects.get(tile.id)
        if (!rect) return null
        const View = tile.is === 'screen' ? ScreenTile : PersonTile
        return (
          <View
            key={tile.id}
            room={room}
            tile={tile}
            rect={rect}
            overlay={tile.id === overlay ? corner : null}
            besideOverlay={tile.id === large ? besideOwn(rect) : null}
            crop={isFilled ? FILL_CROP : FACE_CROP}
            isPinned={tile.id === pinned}
            hand={hands.get(tile.participant.participant_id) ?? null}
            isNamesake={isNamesake(tile.participant, joined.session.participants)}
            mayMute={joined.me.role === 'moderator' && tile.participant.user_id !== joined.me.user_id}
          />
        )
      })}
      {board && <BoardTile room={room} joined={joined} rect={board} />}
      {waiting && <WaitingTile room={room} joined={joined} rect={waiting} />}
      {pager && <PageButtons pager={pager} onShow={stage.showPage} />}
    </section>
  )
}

import { useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { PersonTile } from './PersonTile.tsx'
import { ScreenTile } from './ScreenTile.tsx'
import styles from './Stage.module.css'
import { layOutTiles } from './tile-layout.ts'
import { chooseLarge, tilesOf } from './tiles.ts'
import { useSize } from './use-size.ts'
import { WaitingTile } from './WaitingTile.tsx'

/**
 * The tiles of people and screens. They are moved by style only and keep their order in the document: a video
 * element that is moved in the document is interrupted.
 */
export function Stage({ room, joined }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const stage = useRef<HTMLElement>(null)
  const size = useSize(stage)
  const tiles = tilesOf(joined.session, joined.me, useValue(room.call.remote))
  const spotlight = useValue(room.spotlight)
  const large = chooseLarge(tiles, spotlight, useValue(room.layout))
  const isAlone = joined.session.participants.length === 1
  // The first layout is not animated.
  const hasSize = size.width > 0 && size.height > 0
  const { rects, more } = layOutTiles(size, tiles, large, isAlone)
  return (
    <section ref={stage} className={styles.stage} aria-label={t('room.stage')}>
      {(hasSize ? tiles : []).map(tile => {
        const View = tile.is === 'screen' ? ScreenTile : PersonTile
        return (
          <View
            key={tile.id}
            room={room}
            tile={tile}
            rect={rects.get(tile.id) ?? null}
            isLarge={tile.id === large}
            isPinned={tile.id === spotlight.pinned}
          />
        )
      })}
      {isAlone && <WaitingTile room={room} me={joined.me} rect={rects.get('alone') ?? null} />}
      {more > 0 && <p className={styles.more}>{t('room.moreTiles', { number: more })}</p>}
    </section>
  )
}

import { Pin } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Room } from '../../room.ts'
import { type Rect, styleOf } from '../layout/geometry.ts'
import styles from './Tile.module.css'
import type { Tile } from './tiles.ts'

export interface TileProps {
  room: Room
  tile: Tile
  rect: Rect
  /** It lies over the large tile, whose name keeps clear of it. */
  isOverlay: boolean
  isBesideOverlay: boolean
  isPinned: boolean
  /** The participant is no moderator, but named like one. */
  isNamesake: boolean
}

interface Props extends TileProps {
  /** Label of the pin button; null: there is none. */
  pinLabel: string | null
  isSpeaking?: boolean
  isAway?: boolean
  children: ReactNode
}

/** The frame of a tile, with its pin button. */
export function TileFrame({ room, tile, rect, isPinned, pinLabel, isSpeaking, isAway, ...props }: Props) {
  return (
    <div
      className={styles.tile}
      style={styleOf(rect)}
      data-tile={tile.is}
      data-tile-id={tile.id}
      data-speaking={isSpeaking || undefined}
      data-away={isAway || undefined}
      data-overlay={props.isOverlay || undefined}
      data-beside-overlay={props.isBesideOverlay || undefined}
    >
      {props.children}
      {pinLabel !== null && (
        <button
          type="button"
          className={styles.pin}
          aria-label={pinLabel}
          aria-pressed={isPinned}
          onClick={() => room.spotlight.togglePin(tile.id)}
        >
          <Pin aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

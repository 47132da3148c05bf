import { Pin } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Room } from '../room.ts'
import type { Rect } from './arrange.ts'
import styles from './Tile.module.css'
import type { Tile } from './tiles.ts'

export interface TileProps {
  room: Room
  tile: Tile
  /** Null: there is no space for it. */
  rect: Rect | null
  isLarge: boolean
  isPinned: boolean
}

interface Props extends Omit<TileProps, 'isLarge'> {
  /** Label of the pin button. */
  pinLabel: string
  isSpeaking?: boolean
  isAway?: boolean
  children: ReactNode
}

/** The frame of a tile, with its pin button. */
export function TileFrame({ room, tile, rect, isPinned, pinLabel, isSpeaking, isAway, children }: Props) {
  return (
    <div
      className={styles.tile}
      style={rect ?? undefined}
      hidden={!rect}
      data-tile={tile.is}
      data-speaking={isSpeaking || undefined}
      data-away={isAway || undefined}
    >
      {children}
      <button
        type="button"
        className={styles.pin}
        aria-label={pinLabel}
        aria-pressed={isPinned}
        onClick={() => room.spotlight.togglePin(tile.id)}
      >
        <Pin aria-hidden="true" />
      </button>
    </div>
  )
}

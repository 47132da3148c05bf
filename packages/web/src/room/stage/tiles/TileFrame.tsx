import { Pin } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import type { Room } from '../../room.ts'
import { type Rect, styleOf } from '../layout/geometry.ts'
import type { Corner } from '../layout/own-view.ts'
import type { CropLimits } from '../video/video-zoom.ts'
import type { Hand } from './hands.ts'
import styles from './Tile.module.css'
import type { Tile } from './tiles.ts'
import { useCornerDrag } from './use-corner-drag.ts'

export interface TileProps {
  room: Room
  tile: Tile
  rect: Rect
  /** The corner in which the tile lies over the large one; null: it does not. */
  overlay: Corner | null
  /** The corner in which a small tile lies over this one, and the width there of which name and buttons keep clear. */
  besideOverlay: { corner: Corner; covered: number } | null
  /** How much of a camera may be cut off. */
  crop: CropLimits
  isPinned: boolean
  /** The raised hand of the participant; null: it is not raised. */
  hand: Hand | null
  /** The participant is not a moderator, but named like one. */
  isNamesake: boolean
  /** This user is a moderator, and the participant somebody else. */
  mayMute: boolean
}

interface Props extends TileProps {
  /** Label of the pin button; null: there is none. */
  pinLabel: string | null
  /** The pin is a button in a corner, and not the whole tile. */
  hasSmallPin?: boolean
  isSpeaking?: boolean
  isAway?: boolean
  /** Another button, beside the pin. */
  action?: ReactNode
  children: ReactNode
}

/** The frame of a tile, with its pin button. A tile over another one can be moved to another corner. */
export function TileFrame(props: Props) {
  return props.overlay ? <MovableFrame {...props} overlay={props.overlay} /> : <Frame {...props} />
}

function MovableFrame(props: Props & { overlay: Corner }) {
  const { t } = useTexts()
  const hint = useId()
  const handlers = useCornerDrag(props.overlay, props.room.stage.moveOwnView)
  return (
    <Frame {...props} handlers={handlers} hintId={hint}>
      {props.children}
      <p id={hint} className="visually-hidden">
        {t('stage.moveOwnView')}
      </p>
    </Frame>
  )
}

interface FrameProps extends Props {
  handlers?: ReturnType<typeof useCornerDrag>
  /** The id of the description of the button. */
  hintId?: string
}

function Frame({ room, tile, rect, isPinned, pinLabel, isSpeaking, isAway, ...props }: FrameProps) {
  const { t } = useTexts()
  const { besideOverlay: beside } = props
  return (
    <div
      {...props.handlers}
      className={styles.tile}
      style={{ ...styleOf(rect), ...(beside && { '--covered': `${beside.covered}px` }) }}
      data-tile={tile.is}
      data-tile-id={tile.id}
      data-speaking={isSpeaking || undefined}
      data-away={isAway || undefined}
      data-overlay={props.overlay ? true : undefined}
      data-beside-overlay={beside ? `${beside.corner.block} ${beside.corner.inline}` : undefined}
    >
      {props.children}
      {isAway && <p className={styles.away}>{t('stage.reconnecting')}</p>}
      {pinLabel !== null && (
        <button
          type="button"
          className={styles.pin}
          data-small={props.hasSmallPin || undefined}
          aria-label={pinLabel}
          aria-pressed={isPinned}
          aria-describedby={props.hintId}
          onClick={() => room.spotlight.togglePin(tile.id)}
        >
          <Pin aria-hidden="true" />
        </button>
      )}
      {props.action}
    </div>
  )
}

import { MonitorUp } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import { NamedText } from '../../../ui/NamedText.tsx'
import { useValue } from '../../../use-value.ts'
import { contentRect } from '../../pointer/letterbox.ts'
import { PointerBoard } from '../../pointer/PointerBoard.tsx'
import { PointerMark } from '../../pointer/PointerMark.tsx'
import type { Size } from '../layout/geometry.ts'
import { screenArea } from '../layout/screen-area.ts'
import { TrackVideo } from '../video/TrackVideo.tsx'
import { ZoomableScreen } from '../zoom/ZoomableScreen.tsx'
import plate from './NamePlate.module.css'
import { TileFrame, type TileProps } from './TileFrame.tsx'

/** A shared screen, with the pointer of its presenter. The own one is a board to point at. */
export function ScreenTile(props: TileProps) {
  return props.tile.isMe ? <OwnScreen {...props} /> : <OtherScreen {...props} />
}

function OwnScreen(props: TileProps) {
  const { t } = useTexts()
  const { call, pointing } = props.room
  const { track } = useValue(call.local.screenShare)
  const [size, setSize] = useSize(props)
  return (
    <TileFrame {...props} pinLabel={null}>
      {track && <TrackVideo track={track} label={t('sharing.preview')} onSize={setSize} />}
      <PointerBoard pointing={pointing} content={contentRect(size, props.rect)} />
    </TileFrame>
  )
}

function OtherScreen(props: TileProps) {
  const { t } = useTexts()
  const { participant, video } = props.tile
  const pointers = useValue(props.room.call.pointers)
  const [size, setSize] = useSize(props)
  const { unit, large } = useValue(props.room.stage)
  const area = screenArea(size, props.rect, unit)
  const content = contentRect(size, area)
  const isLarge = props.tile.id === large
  const { setZoom } = props.room.videos
  const { id } = props.tile
  const onFactor = useCallback((factor: number) => setZoom(id, factor), [setZoom, id])
  const label = t('room.screenOf', { name: participant.display_name })
  return (
    <TileFrame {...props} pinLabel={t('room.pin', { name: label })} hasSmallPin={isLarge}>
      <ZoomableScreen area={area} content={content ?? area} isEnabled={isLarge} onFactor={onFactor}>
        {video?.track && (
          <TrackVideo key={video.publicationId} track={video.track} label={label} onSize={setSize} />
        )}
        <PointerMark content={content} position={pointers.get(video?.publicationId ?? '')} />
      </ZoomableScreen>
      <p className={plate.plate}>
        <MonitorUp aria-hidden="true" />
        <NamedText
          text={name => t('room.screenOf', { name })}
          name={participant.display_name}
          className={plate.nameText}
        />
      </p>
    </TileFrame>
  )
}

/** No frame has been decoded yet. */
const UNKNOWN: Size = { width: 0, height: 0 }

/** The size of the screen, which determines the layout of the stage, too. */
function useSize({ room, tile }: TileProps): [size: Size, setSize: (size: Size) => void] {
  const [size, setSize] = useState<Size>(UNKNOWN)
  const onSize = (next: Size) => {
    setSize(next)
    room.stage.setVideoSize(tile.id, next)
  }
  return [size, onSize]
}

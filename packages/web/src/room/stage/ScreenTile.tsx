import { MonitorUp } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './Tile.module.css'
import { TileFrame, type TileProps } from './TileFrame.tsx'
import { TrackVideo } from './TrackVideo.tsx'
import { useDisplaySize } from './use-display-size.ts'

/** A shared screen. */
export function ScreenTile(props: TileProps) {
  const { t } = useTexts()
  const { participant, video } = props.tile
  const label = t('room.screenOf', { name: participant.display_name })
  useDisplaySize(props.room.call.displaySizes, video?.publicationId, props.rect)
  return (
    <TileFrame {...props} pinLabel={t('room.pin', { name: label })}>
      {video?.track && (
        <TrackVideo key={video.publicationId} track={video.track} label={label} fit="contain" />
      )}
      <p className={styles.plate}>
        <MonitorUp aria-hidden="true" />
        <span className={styles.name}>{label}</span>
      </p>
    </TileFrame>
  )
}

import { MonitorUp } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { NamedText } from '../../ui/NamedText.tsx'
import styles from './Tile.module.css'
import { TileFrame, type TileProps } from './TileFrame.tsx'
import { TrackVideo } from './TrackVideo.tsx'

/** A shared screen. */
export function ScreenTile(props: TileProps) {
  const { t } = useTexts()
  const { participant, video } = props.tile
  const label = t('room.screenOf', { name: participant.display_name })
  return (
    <TileFrame {...props} pinLabel={t('room.pin', { name: label })}>
      {video?.track && <TrackVideo key={video.publicationId} track={video.track} label={label} />}
      <p className={styles.plate}>
        <MonitorUp aria-hidden="true" />
        <NamedText
          text={name => t('room.screenOf', { name })}
          name={participant.display_name}
          className={styles.nameText}
        />
      </p>
    </TileFrame>
  )
}

import { MonitorUp } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { Picture } from './Picture.tsx'
import styles from './Tile.module.css'
import { TileFrame, type TileProps } from './TileFrame.tsx'
import { useShown } from './use-shown.ts'

/** Somebody's screen. */
export function ScreenTile(props: TileProps) {
  const { t } = useTexts()
  const { participant, picture } = props.tile
  const label = t('room.screenOf', { name: participant.display_name })
  useShown(props.room.call.layers, picture?.publicationId, props.place)
  return (
    <TileFrame {...props} pinLabel={t('room.pin', { name: label })}>
      {picture?.track && (
        <Picture key={picture.publicationId} track={picture.track} label={label} fit="contain" />
      )}
      <p className={styles.plate}>
        <MonitorUp aria-hidden="true" />
        <span className={styles.name}>{label}</span>
      </p>
    </TileFrame>
  )
}

import { MicOff } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import { useValue } from '../../../use-value.ts'
import { TileReaction } from '../../reactions/TileReaction.tsx'
import { TrackVideo } from '../video/TrackVideo.tsx'
import { Initials } from './Initials.tsx'
import { NamePlate } from './NamePlate.tsx'
import { isSpeaking } from './speaking.ts'
import styles from './Tile.module.css'
import { TileFrame, type TileProps } from './TileFrame.tsx'

export function PersonTile(props: TileProps) {
  return props.tile.isMe ? <OwnTile {...props} /> : <OtherTile {...props} />
}

/** Mirrored, except for rear cameras, whose text must stay readable. */
function OwnTile(props: TileProps) {
  const { t } = useTexts()
  const { devices, stage } = props.room
  const { camera, microphone } = devices
  const input = useValue(camera)
  const isMuted = useValue(microphone).is !== 'on'
  const name = t('room.you', { name: props.tile.participant.display_name })
  return (
    <Person {...props} label={name} isMuted={isMuted}>
      {input.is === 'on' && (
        <TrackVideo
          track={input.track}
          label={name}
          fills={props.rect}
          crop={props.crop}
          onSize={size => stage.setVideoSize(props.tile.id, size)}
          isMirrored={input.track.getSettings().facingMode !== 'environment'}
        />
      )}
    </Person>
  )
}

function OtherTile(props: TileProps) {
  const { participant, video, isMuted } = props.tile
  const name = participant.display_name
  return (
    <Person {...props} label={name} isMuted={isMuted}>
      {video?.track && (
        <TrackVideo
          key={video.publicationId}
          track={video.track}
          label={name}
          fills={props.rect}
          crop={props.crop}
          onSize={size => props.room.stage.setVideoSize(props.tile.id, size)}
          dimsFrozen={!video.paused}
        />
      )}
      {video?.paused && <Initials name={name} />}
    </Person>
  )
}

/** The button that mutes a person, in the tile and not only in a list: the teacher of a class needs it at once. */
function MuteButton({ room, tile: { participant } }: TileProps) {
  const { t } = useTexts()
  const label = t('stage.mute', { name: participant.display_name })
  const mute = () => room.call.actions.mute(participant.participant_id, 'audio')
  return (
    <button
      type="button"
      className={styles.mute}
      aria-label={label}
      title={label}
      // After a failure the person remains audible.
      onClick={() => void mute().catch(() => {})}
    >
      <MicOff aria-hidden="true" />
    </button>
  )
}

type PersonProps = TileProps & { label: string; isMuted: boolean; children: ReactNode }

function Person({ label, isMuted, children, ...props }: PersonProps) {
  const { t } = useTexts()
  const { participant } = props.tile
  const speaks = useSpeaking(props)
  return (
    <TileFrame
      {...props}
      pinLabel={t('room.pin', { name: label })}
      isSpeaking={speaks && !isMuted}
      isAway={participant.presence === 'away'}
      action={props.mayMute && !isMuted && <MuteButton {...props} />}
    >
      <Initials name={participant.display_name} />
      {children}
      <TileReaction call={props.room.call} participantId={participant.participant_id} />
      <NamePlate
        call={props.room.call}
        participant={participant}
        isMe={props.tile.isMe}
        isMuted={isMuted}
        isNamesake={props.isNamesake}
        hand={props.hand}
      />
    </TileFrame>
  )
}

function useSpeaking({ room, tile }: TileProps): boolean {
  const { speakers } = room.call
  const { participant_id: id } = tile.participant
  return useSyncExternalStore(speakers.subscribe, () => isSpeaking(speakers.get(), id))
}

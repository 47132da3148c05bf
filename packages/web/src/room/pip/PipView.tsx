import { Mic, MicOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { permissionsOf } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ControlButton } from '../bar/ControlButton.tsx'
import { LeaveButton } from '../bar/LeaveButton.tsx'
import type { Room } from '../room.ts'
import type { Size } from '../stage/layout/geometry.ts'
import { Initials } from '../stage/tiles/Initials.tsx'
import type { Tile } from '../stage/tiles/tiles.ts'
import { TrackVideo } from '../stage/video/TrackVideo.tsx'
import styles from './PipView.module.css'

/** The content of the picture-in-picture window. */
export function PipView({ room }: { room: Room }) {
  const state = useValue(room.pip)
  if (state.is !== 'window') return null
  return createPortal(<PipContent room={room} window={state.window} />, state.window.document.body)
}

/** The large video, the microphone, and the way out. */
function PipContent({ room, window }: { room: Room; window: Window }) {
  const { tiles, pip } = useValue(room.stage)
  const size = useWindowSize(window)
  const { setPip } = room.videos
  useEffect(() => {
    setPip(size)
    return () => setPip(null)
  }, [setPip, size])
  const tile = tiles.find(({ id }) => id === pip)
  return (
    <main className={styles.pip}>
      <div className={styles.video}>{tile && <PipVideo tile={tile} size={size} />}</div>
      <p className={styles.name}>{tile?.participant.display_name}</p>
      <div className={styles.buttons}>
        <MicrophoneButton room={room} />
        <LeaveButton room={room} canEnd={false} />
      </div>
    </main>
  )
}

function PipVideo({ tile: { is, participant, video }, size }: { tile: Tile; size: Size }) {
  const name = participant.display_name
  return (
    <>
      <Initials name={name} />
      {video?.track && !video.paused && (
        <TrackVideo
          key={video.publicationId}
          track={video.track}
          label={name}
          {...(is === 'person' && { fills: size, dimsFrozen: true })}
        />
      )}
    </>
  )
}

function MicrophoneButton({ room: { call, devices } }: { room: Room }) {
  const { t } = useTexts()
  const state = useValue(call)
  const isOn = useValue(devices.microphone).is === 'on'
  if (state.is !== 'joined' || !permissionsOf(state.session, state.me).microphone) return null
  return (
    <ControlButton
      icon={isOn ? Mic : MicOff}
      label={t('device.microphone.name')}
      hint={isOn ? t('device.microphone.turnOff') : t('device.microphone.turnOn')}
      isOn={isOn}
      variant="input"
      onClick={() => void devices.microphone.toggle()}
    />
  )
}

function useWindowSize(window: Window): Size {
  const [size, setSize] = useState<Size>({ width: window.innerWidth, height: window.innerHeight })
  useEffect(() => {
    const update = () => setSize({ width: window.innerWidth, height: window.innerHeight })
    window.addEventListener('resize', update)
    return () => window.removeEventListener('resize', update)
  }, [window])
  return size
}

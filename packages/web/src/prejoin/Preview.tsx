import { type LucideIcon, Video, VideoOff } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { Input } from '../devices/input.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import styles from './Preview.module.css'

/** The camera preview, in the shape of the camera's picture, or why there is none. */
export function Preview({ camera, microphone }: { camera: Input; microphone: Input }) {
  const { t } = useTexts()
  const state = useValue(camera)
  const isMicrophoneRequested = useValue(microphone).is === 'requesting'
  const isRequesting = state.is === 'requesting' || isMicrophoneRequested
  const isProcessing = state.is === 'requesting' && state.isProcessing === true
  const [shape, setShape] = useState(16 / 9)
  const isShown = state.is === 'on' && !isRequesting
  return (
    <div className={isShown ? styles.frame : styles.blankFrame} style={{ '--shape': shape } as CSSProperties}>
      {state.is === 'on' && <Mirror track={state.track} onShape={setShape} />}
      {state.is === 'off' && <Blank icon={VideoOff} text={t('prejoin.cameraOff')} />}
      {state.is === 'failed' && <Blank icon={VideoOff} text={t('prejoin.cameraFailed')} />}
      {state.is === 'requesting' && (
        <Blank icon={Video} text={isProcessing ? t('background.starting') : t('prejoin.cameraStarting')} />
      )}
      {isRequesting && !isProcessing && (
        <div className={styles.question}>
          <p className={styles.requesting}>{t('prejoin.requesting')}</p>
          <p>{t('prejoin.requestingText')}</p>
        </div>
      )}
    </div>
  )
}

interface MirrorProps {
  track: MediaStreamTrack
  /** Width by height, and changes when a phone is turned. */
  onShape: (shape: number) => void
}

function Mirror({ track, onShape }: MirrorProps) {
  const { t } = useTexts()
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = new MediaStream([track])
  }, [track])
  // A rear camera is not mirrored: text must stay readable.
  const isOutward = track.getSettings().facingMode === 'environment'
  return (
    <video
      ref={video}
      className={isOutward ? styles.window : styles.mirrored}
      aria-label={t('prejoin.preview')}
      onResize={({ currentTarget: { videoWidth, videoHeight } }) => {
        if (videoHeight > 0) onShape(videoWidth / videoHeight)
      }}
      autoPlay
      playsInline
      muted
    />
  )
}

function Blank({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <div className={styles.blank}>
      <Icon aria-hidden="true" />
      <p>{text}</p>
    </div>
  )
}

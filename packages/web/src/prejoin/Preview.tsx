import { type LucideIcon, Video, VideoOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Input } from '../devices/input.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import styles from './Preview.module.css'

/** The camera preview, or why there is none. */
export function Preview({ camera, microphone }: { camera: Input; microphone: Input }) {
  const { t } = useTexts()
  const state = useValue(camera)
  const isMicrophoneRequested = useValue(microphone).is === 'requesting'
  const isRequesting = state.is === 'requesting' || isMicrophoneRequested
  return (
    <div className={styles.frame}>
      {state.is === 'on' && <Mirror track={state.track} />}
      {state.is === 'off' && <Blank icon={VideoOff} text={t('prejoin.cameraOff')} />}
      {state.is === 'failed' && <Blank icon={VideoOff} text={t('prejoin.cameraFailed')} />}
      {state.is === 'requesting' && <Blank icon={Video} text={t('prejoin.cameraStarting')} />}
      {isRequesting && (
        <div className={styles.question}>
          <p className={styles.requesting}>{t('prejoin.requesting')}</p>
          <p>{t('prejoin.requestingText')}</p>
        </div>
      )}
    </div>
  )
}

function Mirror({ track }: { track: MediaStreamTrack }) {
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

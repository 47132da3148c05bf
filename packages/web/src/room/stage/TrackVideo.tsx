import { useEffect, useRef } from 'react'
import styles from './TrackVideo.module.css'

interface Props {
  track: MediaStreamTrack
  label: string
  /** People fill their tile, screens are shown completely. */
  fit: 'cover' | 'contain'
  isMirrored?: boolean
}

/** A video track, without audio. */
export function TrackVideo({ track, label, fit, isMirrored = false }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = new MediaStream([track])
  }, [track])
  return (
    <video
      ref={video}
      className={styles[fit]}
      data-mirrored={isMirrored || undefined}
      aria-label={label}
      autoPlay
      playsInline
      muted
    />
  )
}

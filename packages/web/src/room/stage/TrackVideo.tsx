import { useEffect, useRef } from 'react'
import styles from './TrackVideo.module.css'

interface Props {
  track: MediaStreamTrack
  label: string
  /** How it stands in its tile: a person fills it, a screen is seen to its edges. */
  fit: 'cover' | 'contain'
  isMirrored?: boolean
}

/** A moving picture. Its sound is played elsewhere. */
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

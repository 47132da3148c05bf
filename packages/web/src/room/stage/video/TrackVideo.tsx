import { useEffect, useRef, useState } from 'react'
import type { Size } from '../layout/geometry.ts'
import styles from './TrackVideo.module.css'
import { useFrozen } from './use-frozen.ts'
import { type CropLimits, FACE_CROP, isHeightCut, zoomOf } from './video-zoom.ts'

interface Props {
  track: MediaStreamTrack
  label: string
  /** The tile that a camera fills as far as no face is cut off; absent for screens, which are shown whole. */
  fills?: Size
  crop?: CropLimits
  isMirrored?: boolean
  /** The video is dimmed while there are no new frames: a camera that is not paused, not a screen, which may stand still. */
  dimsFrozen?: boolean
  /** The size of the video, whenever it changes. */
  onSize?: (size: Size) => void
}

/** Browsers round the size of the picture before it is scaled: a line of the tile would be left beside it. */
const ROUNDING = 1.01

/** A video track, without audio. */
export function TrackVideo({ track, label, fills, isMirrored = false, dimsFrozen = false, ...props }: Props) {
  const { crop = FACE_CROP, onSize } = props
  const video = useRef<HTMLVideoElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useEffect(() => {
    if (video.current) video.current.srcObject = new MediaStream([track])
  }, [track])
  const isFrozen = useFrozen(video, dimsFrozen)
  const zoom = fills ? zoomOf(size, fills, crop) * ROUNDING : 1
  return (
    <video
      ref={video}
      className={styles.video}
      style={{ scale: `${isMirrored ? -zoom : zoom} ${zoom}` }}
      data-height-cut={fills && isHeightCut(size, fills) ? true : undefined}
      data-mirrored={isMirrored || undefined}
      data-frozen={isFrozen || undefined}
      aria-label={label}
      // Cameras are turned, and simulcast layers change.
      onResize={({ currentTarget: { videoWidth, videoHeight } }) => {
        const shown = { width: videoWidth, height: videoHeight }
        setSize(shown)
        onSize?.(shown)
      }}
      autoPlay
      playsInline
      muted
    />
  )
}

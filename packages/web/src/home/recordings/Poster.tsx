import { Clapperboard } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSite } from '../../site/use-site.ts'
import styles from './RecordingItem.module.css'
import { RecordingDetails } from './recording.ts'

interface Props {
  recordingId: string
  /** Null, or absent with a server of an earlier version: there is no image. */
  blobId: string | null | undefined
}

/** The image of a recording, which loads once it is in view; an icon until then, and where there is none. */
export function Poster({ recordingId, blobId }: Props) {
  const { account } = useSite()
  const place = useRef<HTMLSpanElement>(null)
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blobId || !place.current) return
    const observer = new IntersectionObserver(async entries => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      setUrl(await new RecordingDetails(account, recordingId).linkTo(blobId))
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [account, recordingId, blobId])
  return (
    <span ref={place} className={blobId ? styles.poster : styles.icon}>
      {url === null ? (
        <Clapperboard aria-hidden="true" />
      ) : (
        <img src={url} alt="" onError={() => setUrl(null)} />
      )}
    </span>
  )
}

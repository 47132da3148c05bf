import { Clapperboard } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useSite } from '../../site/use-site.ts'
import styles from './RecordingItem.module.css'
import { RecordingDetails } from './recording-details.ts'
import { useImageLink } from './use-image-link.ts'

interface Props {
  recordingId: string
  /** Null, or absent with a server of an earlier version: there is no image. */
  blobId: string | null | undefined
}

/** The image of a recording, which loads once it is in view; an icon until then, and where there is none. */
export function Poster({ recordingId, blobId }: Props) {
  const { account } = useSite()
  const place = useRef<HTMLSpanElement>(null)
  const { linkTo } = useMemo(() => new RecordingDetails(account, recordingId), [account, recordingId])
  const { url, onError } = useImageLink(place, blobId, linkTo)
  return (
    <span ref={place} className={blobId ? styles.poster : styles.icon}>
      {url === null ? <Clapperboard aria-hidden="true" /> : <img src={url} alt="" onError={onError} />}
    </span>
  )
}

import { type RefObject, useEffect, useState } from 'react'
import type { RecordingDetails } from './recording-details.ts'

/**
 * The address of an image of a recording, once its place is in view. Null until then, and after `onError`: links end after
 * some minutes.
 */
export function useImageLink(
  place: RefObject<Element | null>,
  blobId: string | null | undefined,
  linkTo: RecordingDetails['linkTo'],
): { url: string | null; onError: () => void } {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blobId || !place.current) return
    const observer = new IntersectionObserver(async entries => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      setUrl(await linkTo(blobId))
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place, blobId, linkTo])
  return { url, onError: () => setUrl(null) }
}

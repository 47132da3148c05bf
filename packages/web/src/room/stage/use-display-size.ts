import { useEffect, useSyncExternalStore } from 'react'
import type { DisplaySizes } from '../../call/media/display-sizes.ts'
import type { Rect } from './arrange.ts'

/** Reports the display size of a video, so that the server sends no more than that. */
export function useDisplaySize(
  layers: DisplaySizes,
  publicationId: string | undefined,
  rect: Rect | null,
): void {
  const isSeen = useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible')
  const width = isSeen && rect ? rect.width * devicePixelRatio : 0
  const height = isSeen && rect ? rect.height * devicePixelRatio : 0
  useEffect(() => {
    if (publicationId === undefined) return
    layers.set(publicationId, width > 0 && height > 0 ? { width, height } : null)
  }, [layers, publicationId, width, height])
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

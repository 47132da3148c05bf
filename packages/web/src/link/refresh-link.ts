import type { Link } from './link.ts'

const REFRESH_INTERVAL_MS = 60_000

/**
 * Lets an open page notice that its room has begun, moved or closed, and a stuck one that the network is back.
 * Returns what ends that.
 */
export function refreshPeriodically(link: Link): () => void {
  const timer = setInterval(
    () => document.visibilityState === 'visible' && link.refresh(),
    REFRESH_INTERVAL_MS,
  )
  window.addEventListener('online', link.retry)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', link.retry)
  }
}

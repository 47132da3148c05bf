import type { Link } from './link.ts'

const REFRESH_INTERVAL_MS = 60_000

/**
 * Refreshes an open link periodically, and retries when the network is back. Returns the function that ends it.
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

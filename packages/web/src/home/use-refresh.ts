import { useEffect } from 'react'

/** Often enough to notice changes on the server. */
const REFRESH_INTERVAL_MS = 15_000

/** Loads now, periodically while the page is visible, and when it becomes visible. `load` MUST keep its identity. */
export function useRefresh(load: () => Promise<void>): void {
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void load()
    }
    refresh()
    const timer = setInterval(refresh, REFRESH_INTERVAL_MS)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [load])
}

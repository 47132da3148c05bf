import { useEffect } from 'react'
import { useSite } from '../site/use-site.ts'

/** Goes to the page of a notification that was clicked, when the service worker chose this window. */
export function useNotificationClicks(): void {
  const { go } = useSite()
  useEffect(() => {
    const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
    const stop = new AbortController()
    workers?.addEventListener(
      'message',
      ({ data, ports }) => {
        if (data?.type !== 'open' || typeof data.path !== 'string') return
        ports[0]?.postMessage(true)
        go(data.path)
      },
      stop,
    )
    workers?.startMessages()
    return () => stop.abort()
  }, [go])
}

import type { Call } from './call.ts'

/** What the browser knows of the network and of sleep, told to the call. Returns what ends it. */
export function observeNetwork(call: Pick<Call, 'networkChanged' | 'wake'>): () => void {
  const shown = () => {
    if (document.visibilityState === 'visible') call.wake()
  }
  window.addEventListener('online', call.networkChanged)
  document.addEventListener('visibilitychange', shown)
  return () => {
    window.removeEventListener('online', call.networkChanged)
    document.removeEventListener('visibilitychange', shown)
  }
}

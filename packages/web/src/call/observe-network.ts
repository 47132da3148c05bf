import type { Call } from './call.ts'

/** Notifies the call of network changes and of resuming. Returns the function that ends it. */
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

import { useState } from 'react'

/** Tries what the server may refuse, and knows whether the last try failed. */
export function useAttempt() {
  const [failed, setFailed] = useState(false)
  const attempt = (act: () => Promise<unknown>) => {
    setFailed(false)
    act().catch(() => setFailed(true))
  }
  return { failed, attempt }
}

import { useState } from 'react'

/** Runs an action that the server may refuse, and remembers whether the last one failed. */
export function useAttempt() {
  const [failed, setFailed] = useState(false)
  const attempt = (act: () => Promise<unknown>) => {
    setFailed(false)
    act().catch(() => setFailed(true))
  }
  return { failed, attempt }
}

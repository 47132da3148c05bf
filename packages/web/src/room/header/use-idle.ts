import { useEffect, useState } from 'react'

const IDLE_AFTER_MS = 3_000
const ACTIVITY = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** Whether nothing has been moved or pressed for some seconds, while `isOn`. */
export function useIdle(isOn: boolean): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const restart = () => {
      clearTimeout(timer)
      setIdle(false)
      timer = setTimeout(() => setIdle(true), IDLE_AFTER_MS)
    }
    restart()
    for (const type of ACTIVITY) document.addEventListener(type, restart, { signal: stop.signal })
    return () => {
      stop.abort()
      clearTimeout(timer)
      setIdle(false)
    }
  }, [isOn])
  return isIdle
}

import { useEffect } from 'react'
import { type RingPattern, ring } from './ringer.ts'

/** Rings while the component is mounted; null: silence. */
export function useRing(pattern: RingPattern | null): void {
  useEffect(() => {
    if (!pattern) return
    const stop = new AbortController()
    void ring(pattern, stop.signal)
    return () => stop.abort()
  }, [pattern])
}

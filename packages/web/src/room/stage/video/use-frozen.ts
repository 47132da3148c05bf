import { type RefObject, useEffect, useState } from 'react'

/** The same as in recordings, which replace a camera without new frames by its name. */
const FROZEN_AFTER_MS = 3_000
const POLL_MS = 500

/**
 * Whether the video has stopped: its last frame is old, although nobody has paused it. Its sender may have stopped without
 * saying so, or its connection. Never while the page is hidden, where browsers present no frames.
 */
export function useFrozen(video: RefObject<HTMLVideoElement | null>, isObserved: boolean): boolean {
  const [isFrozen, setFrozen] = useState(false)
  useEffect(() => {
    const element = video.current
    // Old browsers do not report frames.
    if (!isObserved || !element?.requestVideoFrameCallback) return
    /** Counted by polls and not by the clock: timers of hidden pages are rare. What has shown nothing cannot freeze. */
    let idleMs = Number.NaN
    let request = 0
    const onFrame = () => {
      idleMs = 0
      request = 0
      setFrozen(false)
    }
    const poll = () => {
      idleMs = document.hidden ? 0 * idleMs : idleMs + POLL_MS
      // One frame in each interval is enough to know.
      request ||= element.requestVideoFrameCallback(onFrame)
      setFrozen(idleMs > FROZEN_AFTER_MS)
    }
    poll()
    const timer = setInterval(poll, POLL_MS)
    return () => {
      clearInterval(timer)
      element.cancelVideoFrameCallback(request)
    }
  }, [video, isObserved])
  return isObserved && isFrozen
}

import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end counts as there. */
const NEAR_PX = 32

interface Content {
  /** The oldest message: when it is another one, something was put before it. */
  first: string | undefined
  /** How many own messages are on their way: whoever sends one wants to see it. */
  sending: number
}

/**
 * The reader's place in a log that grows at both ends. Who was at the end stays there; for everybody else what
 * they read stands still.
 */
export function useScrollPosition({ first, sending }: Content) {
  const log = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const before = useRef({ first, sending, height: 0 })
  const [atEnd, setAtEnd] = useState(true)

  useLayoutEffect(() => {
    const { current } = log
    if (!current) return
    if (isAtEnd.current || sending > before.current.sending) current.scrollTop = current.scrollHeight
    else if (first !== before.current.first) current.scrollTop += current.scrollHeight - before.current.height
    before.current = { first, sending, height: current.scrollHeight }
  })

  // A keyboard on the screen, or a longer message below, takes height from the log.
  useEffect(() => {
    const { current } = log
    if (!current) return
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) current.scrollTop = current.scrollHeight
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  const onScroll = () => {
    const { current } = log
    if (!current) return
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX
    setAtEnd(isAtEnd.current)
  }
  const toEnd = () => log.current?.scrollTo({ top: log.current.scrollHeight })

  return { log, atEnd, onScroll, toEnd }
}

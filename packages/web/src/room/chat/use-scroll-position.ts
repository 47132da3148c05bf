import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** This close to the end counts as the end. */
const NEAR_PX = 32

interface Content {
  /** Id of the oldest message: it changes when older messages are prepended. */
  first: string | undefined
  /** Number of pending own messages: the log scrolls to a new one. */
  sending: number
}

/** Keeps the scroll position of a log that grows at both ends: at the end it follows, elsewhere it stays. */
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

  // An on-screen keyboard or a longer draft reduces the height of the log.
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

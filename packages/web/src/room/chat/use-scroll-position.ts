import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ScrollFollower } from './scroll-follower.ts'

interface Content {
  /** Id of the oldest message: it changes when older messages are prepended. */
  first: string | undefined
  /** Number of pending own messages: the log scrolls to a new one. */
  sending: number
}

/** Keeps the scroll position of a log that grows at both ends: at the end it follows, elsewhere it stays. */
export function useScrollPosition({ first, sending }: Content) {
  const log = useRef<HTMLElement>(null)
  const [follower] = useState(() => new ScrollFollower())
  const before = useRef({ first, sending, height: 0 })
  const [atEnd, setAtEnd] = useState(true)

  useLayoutEffect(() => {
    const { current } = log
    if (!current) return
    if (sending > before.current.sending) current.scrollTop = current.scrollHeight
    else if (!follower.isAtEnd && first !== before.current.first)
      current.scrollTop += current.scrollHeight - before.current.height
    follower.follow(current)
    before.current = { first, sending, height: current.scrollHeight }
  })

  // An on-screen keyboard or a longer draft reduces the height of the log; another width breaks its lines otherwise.
  useEffect(() => {
    const { current } = log
    if (!current) return
    const observer = new ResizeObserver(() => follower.follow(current))
    for (const each of [current, ...current.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [follower])

  const onScroll = () => {
    if (!log.current) return
    follower.onScroll(log.current)
    setAtEnd(follower.isAtEnd)
  }
  const toEnd = () => log.current?.scrollTo({ top: log.current.scrollHeight })

  return { log, atEnd, onScroll, toEnd }
}

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { anchorOf, lastVisible, restoreAnchor, type ScrollAnchor } from './scroll-anchor.ts'
import { ScrollFollower } from './scroll-follower.ts'

/** More messages load before the user reaches the edge. */
const LOAD_AHEAD_PX = 500

/** The part of a history that the document contains. */
export interface LogRange {
  /** The part does not reach the newest message. */
  hasNewer: boolean
  loadOlder: () => unknown
  loadNewer: () => unknown
  toNewest: () => unknown
}

interface Content {
  range?: LogRange
  /** Number of pending own messages: the log scrolls to a new one. */
  sending?: number
  /** The newest message that is visible, whenever that changes. */
  onVisible?: (messageId: string) => void
}

/**
 * Keeps the scroll position of a log that grows and shrinks at both ends: at its newest message it follows, elsewhere
 * the first visible entry (`data-message`, `data-phrase`) stays where it is. Begins at the element with `data-new`, or
 * at the end.
 */
export function useLogScroll({ range, sending = 0, onVisible }: Content = {}) {
  const log = useRef<HTMLElement>(null)
  const [follower] = useState(() => new ScrollFollower())
  const anchor = useRef<ScrollAnchor | null>(null)
  const lastSending = useRef<number | null>(null)
  const [atEnd, setAtEnd] = useState(true)
  const hasNewer = range?.hasNewer ?? false

  const remember = (current: HTMLElement) => {
    const { scrollTop, scrollHeight, clientHeight } = current
    setAtEnd(follower.isAtEnd)
    anchor.current = anchorOf(current)
    if (clientHeight === 0) return // not displayed
    const visible = lastVisible(current)
    if (visible !== null && document.visibilityState === 'visible') onVisible?.(visible)
    if (scrollTop < LOAD_AHEAD_PX) range?.loadOlder()
    if (scrollHeight - scrollTop - clientHeight < LOAD_AHEAD_PX) range?.loadNewer()
  }
  const keepPlace = (current: HTMLElement) => {
    if (!follower.isAtEnd) restoreAnchor(current, anchor.current)
    follower.follow(current)
  }
  const toEnd = async () => {
    if (hasNewer) await range?.toNewest()
    if (log.current) follower.toEnd(log.current)
  }

  useLayoutEffect(() => {
    const { current } = log
    if (!current) return
    const newLine = lastSending.current === null && current.querySelector<HTMLElement>('[data-new]')
    const isSending = sending > (lastSending.current ?? sending)
    lastSending.current = sending
    if (newLine) {
      current.scrollTop = newLine.offsetTop - current.clientHeight / 4
      follower.stay(current, hasNewer)
    } else if (isSending) void toEnd()
    else keepPlace(current)
    remember(current)
  })

  // The closures of the last rendering.
  const latest = useRef({ remember, keepPlace })
  useLayoutEffect(() => {
    latest.current = { remember, keepPlace }
  })
  useEffect(() => {
    const { current } = log
    if (!current) return
    const update = () => {
      latest.current.keepPlace(current)
      latest.current.remember(current)
    }
    // An on-screen keyboard or a longer draft reduces the height of the log; another width breaks its lines otherwise.
    const observer = new ResizeObserver(update)
    for (const each of [current, ...current.children]) observer.observe(each)
    document.addEventListener('visibilitychange', update)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', update)
    }
  }, [])

  const onScroll = () => {
    if (!log.current) return
    follower.onScroll(log.current, hasNewer)
    remember(log.current)
  }
  return { log, atEnd: atEnd && !hasNewer, onScroll, toEnd }
}

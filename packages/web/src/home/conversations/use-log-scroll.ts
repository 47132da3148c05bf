import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** This close to the end counts as the end. */
const NEAR_PX = 32
/** More messages load before the user reaches the edge. */
const LOAD_AHEAD_PX = 500
/** A message counts as read when this much of its top is visible. */
const READ_PX = 24

interface Content {
  hasNewer: boolean
  /** Number of pending own messages: the log scrolls to a new one. */
  sending: number
  loadOlder: () => void
  loadNewer: () => void
  /** The newest message that is visible, whenever that changes. */
  onVisible: (messageId: string) => void
}

interface Anchor {
  id: string
  top: number
}

/**
 * Keeps the scroll position of a log that grows and shrinks at both ends: at its newest message it follows, elsewhere
 * the first visible message stays where it is. Begins at the element with `data-new`, or at the end.
 */
export function useLogScroll({ hasNewer, sending, loadOlder, loadNewer, onVisible }: Content) {
  const log = useRef<HTMLElement>(null)
  const anchor = useRef<Anchor | null>(null)
  const isFollowing = useRef(true)
  const hasBegun = useRef(false)
  const lastSending = useRef(sending)
  const [atEnd, setAtEnd] = useState(true)

  const remember = () => {
    const { current } = log
    if (!current) return
    const distance = current.scrollHeight - current.scrollTop - current.clientHeight
    isFollowing.current = distance < NEAR_PX && !hasNewer
    setAtEnd(isFollowing.current)
    anchor.current = firstVisible(current)
    const visible = lastVisible(current)
    if (visible !== null && document.visibilityState === 'visible') onVisible(visible)
    if (current.scrollTop < LOAD_AHEAD_PX) loadOlder()
    if (distance < LOAD_AHEAD_PX) loadNewer()
  }

  useLayoutEffect(() => {
    const { current } = log
    if (!current) return
    const newLine = hasBegun.current ? null : current.querySelector<HTMLElement>('[data-new]')
    if (newLine) current.scrollTop = newLine.offsetTop - current.clientHeight / 4
    else if (!hasBegun.current || isFollowing.current || sending > lastSending.current)
      current.scrollTop = current.scrollHeight
    else restore(current, anchor.current)
    hasBegun.current = true
    lastSending.current = sending
    remember()
  })

  // An on-screen keyboard or a longer draft changes the height of the log.
  useEffect(() => {
    const { current } = log
    if (!current) return
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) current.scrollTop = current.scrollHeight
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  const latest = useLatest(remember)
  useEffect(() => {
    const onShown = () => latest.current()
    document.addEventListener('visibilitychange', onShown)
    return () => document.removeEventListener('visibilitychange', onShown)
  }, [latest])

  const toEnd = () => {
    isFollowing.current = true
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }
  return { log, atEnd, onScroll: remember, toEnd }
}

function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}

const messagesIn = (log: HTMLElement) => [...log.querySelectorAll<HTMLElement>('[data-message]')]

const topIn = (log: HTMLElement, element: HTMLElement) =>
  element.getBoundingClientRect().top - log.getBoundingClientRect().top

/** The first index for which the condition is true, which is false before and true after it. */
function findFirst<T>(all: readonly T[], condition: (each: T) => boolean): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (condition(all[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

function firstVisible(log: HTMLElement): Anchor | null {
  const all = messagesIn(log)
  const element = all[findFirst(all, each => topIn(log, each) >= 0)]
  return element ? { id: element.dataset.message ?? '', top: topIn(log, element) } : null
}

function lastVisible(log: HTMLElement): string | null {
  const all = messagesIn(log)
  const index = findFirst(all, each => topIn(log, each) + READ_PX > log.clientHeight)
  return all[index - 1]?.dataset.message ?? null
}

function restore(log: HTMLElement, anchor: Anchor | null): void {
  const element = anchor && log.querySelector<HTMLElement>(`[data-message="${CSS.escape(anchor.id)}"]`)
  if (element) log.scrollTop += topIn(log, element) - anchor.top
}

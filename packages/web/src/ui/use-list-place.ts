import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

interface ListPlace<Item> {
  list: RefObject<HTMLElement | null>
  items: readonly Item[]
  keyOf: (item: Item) => string
  virtualizer: Virtualizer<HTMLElement, Element>
  /** The distance between the start of the scrolled content and the list. */
  setScrollMargin: (px: number) => void
}

/** Where the first visible row is, in relation to the edge of the scrolling area. */
interface Anchor {
  key: string
  distance: number
}

/** Keeps track of where a virtual list is in its scrolling area, and keeps its first visible row in place. */
export function useListPlace<Item>({ list, items, keyOf, virtualizer, setScrollMargin }: ListPlace<Item>) {
  const anchor = useRef<Anchor | null>(null)
  const lastItems = useRef(items)

  const remember = () => {
    const scroller = virtualizer.scrollElement
    const first = scroller && virtualizer.getVirtualItemForOffset(scroller.scrollTop)
    // At the start of the list new rows are shown.
    const isInside = first && first.start < scroller.scrollTop && first.end > scroller.scrollTop
    anchor.current = isInside ? { key: String(first.key), distance: scroller.scrollTop - first.start } : null
  }

  const measure = () => {
    const scroller = virtualizer.scrollElement
    if (!list.current || !scroller) return
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top
    setScrollMargin(Math.round(top + scroller.scrollTop))
  }

  // Browsers do not anchor rows that are placed by their coordinates.
  useLayoutEffect(() => {
    measure()
    const scroller = virtualizer.scrollElement
    const kept = anchor.current
    if (scroller && kept && lastItems.current !== items) {
      const index = items.findIndex(each => keyOf(each) === kept.key)
      const start = virtualizer.measurementsCache[index]?.start
      if (start !== undefined) scroller.scrollTop = start + kept.distance
    }
    lastItems.current = items
    remember()
  })

  const latest = useRef({ measure, remember })
  latest.current = { measure, remember }
  const scroller = virtualizer.scrollElement
  useEffect(() => {
    if (!list.current || !scroller) return
    const onScroll = () => latest.current.remember()
    scroller.addEventListener('scroll', onScroll, { passive: true })
    const observer = new ResizeObserver(() => latest.current.measure())
    for (const each of around(list.current, scroller)) observer.observe(each)
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [list, scroller])
}

/** The elements whose heights determine where the list begins. */
function around(list: HTMLElement, scroller: HTMLElement): Element[] {
  const all: Element[] = [scroller]
  for (let each: Element | null = list; each && each !== scroller; each = each.parentElement)
    all.push(...(each.parentElement?.children ?? []))
  return all
}

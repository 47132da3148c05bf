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

/** The first visible row, and its position in relation to the edge of the scrolling area. */
interface Anchor {
  key: string
  distance: number
}

/** Keeps track of where a virtual list is in its scrolling area, and keeps its first visible row in place. */
export function useListPlace<Item>({ list, items, keyOf, virtualizer, setScrollMargin }: ListPlace<Item>) {
  const anchor = useRef<Anchor | null>(null)
  const last = useRef({ items, margin: 0 })

  const remember = () => {
    const scroller = virtualizer.scrollElement
    if (!scroller) return
    const top = scroller.scrollTop + unmeasured()
    const first = virtualizer.getVirtualItemForOffset(top)
    // At the start of the list new rows are shown.
    const isInside = first && first.start < top && first.end > top
    anchor.current = isInside ? { key: String(first.key), distance: top - first.start } : null
  }

  /** How far the virtualizer takes the list to be below its place, until the next rendering. */
  const unmeasured = () => virtualizer.options.scrollMargin - last.current.margin

  // Browsers do not anchor rows that are placed by their coordinates.
  const keepInPlace = () => {
    const scroller = virtualizer.scrollElement
    if (!list.current || !scroller) return
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top
    const margin = Math.round(top + scroller.scrollTop)
    const hasMoved = last.current.margin !== margin || last.current.items !== items
    last.current = { items, margin }
    setScrollMargin(margin)
    const kept = anchor.current
    if (!hasMoved || !kept) return
    const index = items.findIndex(each => keyOf(each) === kept.key)
    const start = virtualizer.measurementsCache[index]?.start
    if (start === undefined) return
    scroller.scrollTop = start - unmeasured() + kept.distance
    // It corrects its own offset for rows that it measures, and would learn of this one with the next event only.
    virtualizer.scrollOffset = scroller.scrollTop
  }

  useLayoutEffect(() => {
    keepInPlace()
    remember()
  })

  const latest = useRef({ keepInPlace, remember })
  latest.current = { keepInPlace, remember }
  const scroller = virtualizer.scrollElement
  useEffect(() => {
    if (!list.current || !scroller) return
    const onScroll = () => latest.current.remember()
    scroller.addEventListener('scroll', onScroll, { passive: true })
    const observer = new ResizeObserver(() => latest.current.keepInPlace())
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

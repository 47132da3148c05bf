import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useListPlace } from './use-list-place.ts'
import styles from './VirtualList.module.css'

export interface VirtualListHandle {
  /** Scrolls the list, never the page, until the item is in its middle. Nothing for an unknown key. */
  scrollTo(key: string): void
}

interface Props<Item> {
  ref?: Ref<VirtualListHandle>
  label?: string
  items: readonly Item[]
  /** The same function each time. */
  keyOf: (item: Item) => string
  /** The usual height of a row in rem; the real one is measured when the row is near the visible part. */
  rowRem: number
  /** Absent: the number of items. Null: not all items are known. */
  total?: number | null
  className?: string | undefined
  children: (item: Item) => ReactNode
}

/** Rows beyond the visible ones, so that the tab key always finds the next one. */
const OVERSCAN = 8

/**
 * A list of any length in a scrolling area: only the visible rows and the one with the focus are in the document.
 * Assistive technology learns the position of each row in the whole list. While rows come and go above, the first
 * visible row stays where it is.
 */
export function VirtualList<Item>(props: Props<Item>) {
  const { ref, label, items, keyOf, rowRem, total, className, children } = props
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const focusedIndex = focused === null ? -1 : items.findIndex(each => keyOf(each) === focused)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => list.current && scrollerOf(list.current),
    estimateSize: () => rowRem * remPx(),
    getItemKey: useCallback((index: number) => keyOf(items[index] as Item), [items, keyOf]),
    rangeExtractor: range => withIndex(range, focusedIndex),
    overscan: OVERSCAN,
    scrollMargin,
  })
  useListPlace({ list, items, keyOf, virtualizer, setScrollMargin })
  useImperativeHandle(ref, () => ({
    scrollTo: key => {
      const index = items.findIndex(each => keyOf(each) === key)
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' })
    },
  }))

  const trackFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index)
    const item = items[index]
    setFocused(item === undefined ? null : keyOf(item))
  }
  return (
    <ul
      ref={list}
      className={className ? `${styles.list} ${className}` : styles.list}
      style={{ height: virtualizer.getTotalSize() }}
      aria-label={label}
      onFocus={trackFocus}
      onBlur={({ relatedTarget }) => list.current?.contains(relatedTarget) || setFocused(null)}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          className={styles.item}
          // A transform would lay the menus of a row below the next rows.
          style={{ insetBlockStart: start - scrollMargin }}
          aria-posinset={index + 1}
          aria-setsize={total === undefined ? items.length : (total ?? -1)}
        >
          {children(items[index] as Item)}
        </li>
      ))}
    </ul>
  )
}

/** The visible rows, and one more. */
function withIndex(range: Range, index: number): number[] {
  const indices = defaultRangeExtractor(range)
  if (index < 0 || index >= range.count || indices.includes(index)) return indices
  return [...indices, index].sort((a, b) => a - b)
}

const remPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** The closest element around it that scrolls. */
function scrollerOf(element: HTMLElement): HTMLElement {
  const parent = element.parentElement
  if (!parent) return element
  return /auto|scroll/.test(getComputedStyle(parent).overflowY) ? parent : scrollerOf(parent)
}

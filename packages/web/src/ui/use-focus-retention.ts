import { type RefObject, useEffect } from 'react'

const ROW = 'li, tr'

/**
 * When a focused child is removed, such as a button that disappears after its click, moves the focus: from the row of a
 * list to the next row, whose buttons a repeated key does not press; from elsewhere, the only row, or where the next one is
 * scrolled out of the holder, to the holder, which MUST be focusable.
 */
export function useFocusRetention(holder: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = holder
    if (!current) return
    let focused: Node | null = null
    const follow = ({ target }: FocusEvent) => {
      focused = target instanceof Node && current.contains(target) ? target : null
    }
    const observer = new MutationObserver(changes => {
      if (!focused || focused.isConnected || document.activeElement !== document.body) return
      const row = neighbourOf(focused, changes)
      if (row && isWithin(row, current)) focusRow(row)
      else current.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', follow)
    observer.observe(current, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', follow)
      observer.disconnect()
    }
  }, [holder])
}

/** The row after the removed one with this element, or the one before it. */
function neighbourOf(element: Node, changes: MutationRecord[]): HTMLElement | null {
  const isItsRow = (node: Node) => node instanceof HTMLElement && node.matches(ROW) && node.contains(element)
  const change = changes.find(({ removedNodes }) => [...removedNodes].some(isItsRow))
  const neighbours = [change?.nextSibling, change?.previousSibling]
  return neighbours.find(isRow) ?? null
}

const isRow = (node: Node | null | undefined): node is HTMLElement =>
  node instanceof HTMLElement && node.isConnected && node.matches(ROW)

function isWithin(row: HTMLElement, holder: HTMLElement): boolean {
  const [inner, outer] = [row.getBoundingClientRect(), holder.getBoundingClientRect()]
  return inner.bottom > outer.top && inner.top < outer.bottom
}

function focusRow(row: HTMLElement): void {
  if (!row.hasAttribute('tabindex')) row.tabIndex = -1
  row.focus()
}

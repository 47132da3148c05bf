import { type RefObject, useEffect } from 'react'

/**
 * Focuses the element when it appears, so that Enter presses it, and gives the focus back when it disappears. Whoever is
 * typing keeps the focus: the next key was not meant for the element. Null: nothing is focused.
 */
export function useFocusOnArrival(element: RefObject<HTMLElement | null> | null): void {
  useEffect(() => {
    if (!element) return
    const before = document.activeElement
    if (isEditable(before)) return
    const focused = element.current
    focused?.focus({ preventScroll: true })
    return () => {
      const now = document.activeElement
      const isLost = now === document.body || now === focused || now === null
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [element])
}

const isEditable = (element: Element | null): boolean =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLElement && element.isContentEditable)

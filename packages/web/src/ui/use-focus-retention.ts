import { type RefObject, useEffect } from 'react'

/**
 * When a focused child is removed, such as a button that disappears after its click, moves the focus to the
 * holder, which MUST be focusable.
 */
export function useFocusRetention(holder: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = holder
    if (!current) return
    let focused: Node | null = null
    const follow = ({ target }: FocusEvent) => {
      focused = target instanceof Node && current.contains(target) ? target : null
    }
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected || document.activeElement !== document.body) return
      current.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', follow)
    observer.observe(current, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', follow)
      observer.disconnect()
    }
  }, [holder])
}

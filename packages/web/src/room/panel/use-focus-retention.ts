import { type RefObject, useEffect } from 'react'

/**
 * Whoever presses a button that vanishes, such as the one that mutes somebody, does not lose their place: the focus
 * goes to the holder. It must be focusable itself.
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

import { useEffect, useRef } from 'react'

/** For the button that opens something: the focus that was in there comes back to it. */
export function useFocusReturn(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // What is removed from the document leaves its focus to the body.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}

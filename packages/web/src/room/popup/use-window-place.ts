import { type CSSProperties, type RefObject, useLayoutEffect, useState } from 'react'

const GAP_PX = 4

/** The place below a button in the window, or above it where there is more space. */
export function useWindowPlace(
  popup: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
): CSSProperties {
  const [place, setPlace] = useState<CSSProperties>({})
  useLayoutEffect(() => {
    const [frame, button] = [popup.current, opener.current?.getBoundingClientRect()]
    if (!frame || !button) return
    const isRtl = getComputedStyle(frame).direction === 'rtl'
    const [above, below] = [button.top, innerHeight - button.bottom]
    const isBelow = below > frame.scrollHeight + 3 * GAP_PX || below >= above
    setPlace({
      position: 'fixed',
      insetBlock: isBelow
        ? `${button.bottom + GAP_PX}px auto`
        : `auto ${innerHeight - button.top + GAP_PX}px`,
      insetInlineEnd: isRtl ? button.left : innerWidth - button.right,
      maxHeight: (isBelow ? below : above) - 3 * GAP_PX,
    })
  }, [popup, opener])
  return place
}

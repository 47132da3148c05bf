import { type RefObject, useEffect } from 'react'

/** In pixels; scroll positions may be fractions. */
const ROUNDING = 1

/**
 * For a line that scrolls: brings the chosen element into its middle where there is more than fits, and names in `data-more` the
 * sides at which there is more. Nothing around the line scrolls.
 */
export function useLineScroll(line: RefObject<HTMLElement | null>, chosen: string): void {
  useEffect(() => {
    const element = line.current
    if (!element) return
    const show = () => {
      const box = element.querySelector(chosen)?.getBoundingClientRect()
      const { left, width } = element.getBoundingClientRect()
      if (box) element.scrollLeft += box.left + box.width / 2 - left - width / 2
    }
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const hidden = scrollWidth - clientWidth
      // From right to left, positions count down from 0.
      const before = getComputedStyle(element).direction === 'rtl' ? hidden + scrollLeft : scrollLeft
      const sides = [before > ROUNDING && 'left', hidden - before > ROUNDING && 'right'].filter(Boolean)
      element.dataset.more = sides.join(' ')
    }
    const update = () => {
      show()
      mark()
    }
    update()
    element.addEventListener('scroll', mark)
    const resized = new ResizeObserver(update)
    for (const each of [element, ...element.children]) resized.observe(each)
    return () => {
      element.removeEventListener('scroll', mark)
      resized.disconnect()
    }
  }, [line, chosen])
}

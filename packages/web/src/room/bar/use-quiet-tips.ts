import { type RefObject, useEffect } from 'react'

/** Escape hides the tooltip of a button that has the pointer or the focus, until these move on (WCAG 1.4.13). */
export function useQuietTips(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = bar
    if (!current) return
    const stop = new AbortController()
    const { signal } = stop
    const show = () => current.removeAttribute('data-quiet')
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && current.setAttribute('data-quiet', '')
    document.addEventListener('keydown', onKey, { signal })
    current.addEventListener('pointerover', show, { signal })
    current.addEventListener('focusin', show, { signal })
    return () => stop.abort()
  }, [bar])
}

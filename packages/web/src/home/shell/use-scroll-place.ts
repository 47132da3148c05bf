import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useNavigation } from './navigation-context.ts'

/** A scrolling area that is where the user has left it when the page with this path is shown again. */
export function useScrollPlace<T extends HTMLElement>(path: string): RefObject<T | null> {
  const { scrollPlaces } = useNavigation()
  const area = useRef<T>(null)
  useLayoutEffect(() => {
    const { current } = area
    if (!current) return
    current.scrollTop = scrollPlaces.get(path) ?? 0
    const remember = () => void scrollPlaces.set(path, current.scrollTop)
    current.addEventListener('scroll', remember, { passive: true })
    return () => current.removeEventListener('scroll', remember)
  }, [path, scrollPlaces])
  return area
}

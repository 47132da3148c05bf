import { useSyncExternalStore } from 'react'

/** The same width as in the style sheets of the shell. */
const PHONE = '(max-width: 48rem)'

const subscribe = (listener: () => void) => {
  const query = matchMedia(PHONE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window has the width of a phone. */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches)

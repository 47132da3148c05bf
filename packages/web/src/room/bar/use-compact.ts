import { useSyncExternalStore } from 'react'

/** Phones, in either orientation. The same condition as in the style sheets of the room. */
const COMPACT = '(max-width: 40rem) or (max-height: 30rem)'

const subscribe = (listener: () => void) => {
  const query = matchMedia(COMPACT)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the bar has five buttons, and the others are in the sheet *More*. */
export const useCompact = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(COMPACT).matches)

import { useSyncExternalStore } from 'react'

const DARK = '(prefers-color-scheme: dark)'

/** A value that changes with the system's colours and the size of text, which a canvas does not follow. */
export const useChartStyle = (): string => useSyncExternalStore(subscribe, read)

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(DARK)
  query.addEventListener('change', onChange)
  window.addEventListener('resize', onChange) // the text grows with the window
  return () => {
    query.removeEventListener('change', onChange)
    window.removeEventListener('resize', onChange)
  }
}

const read = () => `${matchMedia(DARK).matches ? 'dark' : 'light'} ${remPx()}`

/** The font size of the page. */
export const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

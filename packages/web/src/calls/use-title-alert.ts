import { useEffect } from 'react'
import { documentTitle } from '../site/document-title.ts'

const FLASH_MS = 1_000

/** Flashes the text in the title of the tab while the component is mounted. */
export function useTitleAlert(text: string): void {
  useEffect(() => {
    let isShown = true
    documentTitle.setAlert(text)
    const timer = setInterval(() => {
      isShown = !isShown
      documentTitle.setAlert(isShown ? text : null)
    }, FLASH_MS)
    return () => {
      clearInterval(timer)
      documentTitle.setAlert(null)
    }
  }, [text])
}

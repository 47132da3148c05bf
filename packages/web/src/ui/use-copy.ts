import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

/** Long enough also for who looks first for the place where the text belongs. */
const SHOWN_MS = 10_000

/** Copies texts, and is for a moment aware that it did. `copy` is false where the browser does not allow it. */
export function useCopy() {
  const [copies, setCopies] = useState(0)
  const [isCopied, setCopied] = useState(false)
  // Counted, so that another copy starts the moment again.
  useEffect(() => {
    if (copies === 0) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copies])
  const copy = async (text: string): Promise<boolean> => {
    const worked = await copyText(text)
    setCopied(worked)
    if (worked) setCopies(count => count + 1)
    return worked
  }
  return { isCopied, copy }
}

import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { failureText } from './failure-text.ts'

/** Runs one action at a time, and has the reason why the last one failed. */
export function useAction() {
  const { t } = useTexts()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const run = async (act: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    setFailure(null)
    try {
      await act()
      return true
    } catch (error) {
      setFailure(failureText(t, error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, run }
}

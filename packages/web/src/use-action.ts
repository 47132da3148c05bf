import { useState } from 'react'

/** Runs one action at a time, and has the reason why the last one failed. */
export function useAction(describe: (error: unknown) => string) {
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
      setFailure(describe(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, run }
}

import { useEffect, useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { CallHistory } from './call-history.ts'

/** The calls of the account while the component is mounted; null at first. */
export function useCallHistory(): CallHistory | null {
  const connection = useConnection()
  const [history, setHistory] = useState<CallHistory | null>(null)
  useEffect(() => {
    const opened = new CallHistory(connection)
    setHistory(opened)
    void opened.reload()
    return () => opened.close()
  }, [connection])
  return history
}

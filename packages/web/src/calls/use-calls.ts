import { useMemo } from 'react'
import { useConnection } from '../account-connection/use-connection.ts'
import { useSite } from '../site/use-site.ts'
import { CallActions } from './call-actions.ts'

/** The actions of the user on calls. */
export function useCallActions(): CallActions {
  const connection = useConnection()
  const site = useSite()
  return useMemo(() => new CallActions(connection, site), [connection, site])
}

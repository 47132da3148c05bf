import type { AccountView } from '@lectern/control-client'
import { createContext, useContext } from 'react'
import { useValue } from '../use-value.ts'
import type { AccountConnection } from './account-connection.ts'

/** Provided to all pages of a signed-in user. */
export const ConnectionContext = createContext<AccountConnection | null>(null)

export function useConnection(): AccountConnection {
  const connection = useContext(ConnectionContext)
  if (!connection) throw new Error('Only pages of a signed-in user have a connection')
  return connection
}

/** The last known state of the account; null before the first one. */
export const useAccountView = (): AccountView | null => useValue(useConnection()).view

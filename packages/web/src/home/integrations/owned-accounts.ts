import type { OwnedServiceAccount, OwnedServiceAccountList } from '@lectern/protocol'
import { createContext, useCallback, useContext, useEffect, useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { useSite } from '../../site/use-site.ts'
import { useValue } from '../../use-value.ts'

/** An open page notices within this time that the user has lost an account. */
const REFRESH_MS = 5_000
const PATH = '/api/v1.0/me/service-accounts'

interface OwnedAccounts {
  /** The service accounts for which the user acts; null: not known yet. */
  accounts: readonly OwnedServiceAccount[] | null
  /** Also while it is not known, on the page that shows them. */
  isOwner: boolean
  reload: () => void
}

/** Provided to all pages of a signed-in user. */
export const OwnedAccountsContext = createContext<OwnedAccounts>({
  accounts: null,
  isOwner: false,
  reload: () => {},
})

export const useOwned = (): OwnedAccounts => useContext(OwnedAccountsContext)

/** Read whenever the connection of the account begins, and often while the page `isShown`. */
export function useOwnedAccounts(isShown: boolean): OwnedAccounts {
  const { account } = useSite()
  const { is } = useValue(useConnection())
  const [accounts, setAccounts] = useState<OwnedAccounts['accounts']>(null)
  const load = useCallback(async () => {
    const answer = await account.request({ method: 'GET', path: PATH })
    if (answer.is === 'ok') setAccounts((answer.body as OwnedServiceAccountList).service_accounts)
    // After a failure the next request may know more.
  }, [account])
  const reload = useCallback(() => void load(), [load])
  useEffect(() => {
    if (is === 'online') reload()
  }, [is, reload])
  useEffect(() => {
    if (!isShown) return
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [isShown, reload])
  return { accounts, isOwner: accounts === null ? isShown : accounts.length > 0, reload }
}

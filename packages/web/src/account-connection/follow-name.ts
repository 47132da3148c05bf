import type { Account } from '../identity/account.ts'
import type { AccountConnection } from './account-connection.ts'

/** Keeps the name of the sign-in as it is on the server: it may be changed on another device. */
export function followName(
  { user, get, subscribe, lifetime }: Pick<AccountConnection, 'user' | 'get' | 'subscribe' | 'lifetime'>,
  account: Pick<Account, 'setDisplayName'>,
): void {
  let known = user.displayName
  const update = () => {
    const name = get().view?.display_name ?? known
    if (name === known) return
    known = name
    void account.setDisplayName(name)
  }
  lifetime.defer(subscribe(update))
}

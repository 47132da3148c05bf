/** Entry point of the code of the account connection, which is loaded for signed-in users only. */
import { Api } from '../api/api.ts'
import { createControl } from '../control/create-control.ts'
import type { Account, User } from '../identity/account.ts'
import { AccountIdentity } from '../identity/account-identity.ts'
import { startPush } from '../push/start-push.ts'
import { AccountConnection } from './account-connection.ts'
import { followName } from './follow-name.ts'
import { reportPresence } from './report-presence.ts'

export { InviteToRoom } from '../calls/InviteToRoom.tsx'
export { AccountLayer } from './AccountLayer.tsx'

/** Opens the connection of the account. `close()` ends it. */
export function openAccountConnection(account: Account, user: User): AccountConnection {
  const { accessToken } = new AccountIdentity(account, user.userId)
  const control = createControl({ accessToken })
  const connection = new AccountConnection({ user, control, accessToken, onSignedOut: account.invalidate })
  const stop = new AbortController()
  const wake = () => {
    if (document.visibilityState === 'visible') connection.wake()
  }
  window.addEventListener('online', connection.wake, stop)
  document.addEventListener('visibilitychange', wake, stop)
  connection.lifetime.defer(() => stop.abort())
  reportPresence(connection, document)
  followName(connection, account)
  connection.open()
  startPush(connection, account, new Api())
  return connection
}

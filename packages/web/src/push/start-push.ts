import type { AccountConnection } from '../account-connection/account-connection.ts'
import type { Api } from '../api/api.ts'
import type { Account } from '../identity/account.ts'
import { StoredValue } from '../stored-value.ts'
import { browserPush } from './push-browser.ts'
import { PushNotifications } from './push-notifications.ts'

interface ServerInfo {
  push_enabled?: boolean
  push_vapid_public_key?: string
}

const started = new WeakMap<AccountConnection, PushNotifications>()

/** The notifications of the account whose connection it is. */
export function pushOf(connection: AccountConnection): PushNotifications {
  const push = started.get(connection)
  if (!push) throw new Error('startPush was not called for this connection')
  return push
}

/** Keeps the server up to date about the notifications of this browser, as long as the connection is open. */
export function startPush(connection: AccountConnection, account: Account, api: Api): void {
  const loadServerKey = async () => {
    const answer = await api.get('/api/v1.0/server_info')
    if (answer.is !== 'ok') throw new Error('the server cannot be reached')
    const { push_enabled, push_vapid_public_key } = answer.body as ServerInfo
    return push_enabled ? (push_vapid_public_key ?? '') : ''
  }
  const stored = new StoredValue('lectern.push', () => localStorage)
  const push = new PushNotifications({ connection, browser: browserPush, stored, loadServerKey })
  started.set(connection, push)

  const { lifetime } = connection
  const stop = new AbortController()
  lifetime.defer(() => stop.abort())
  // The connection also closes for pages without an account; then notifications stay on.
  lifetime.defer(() => void (account.get().is === 'out' && push.signOut()))
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }) => void (data?.type === 'push-changed' && push.sync()),
    stop,
  )
  void watchPermission(push, stop.signal)
  let { is: was } = connection.get()
  const onConnection = () => {
    const { is } = connection.get()
    if (is === 'online' && was !== 'online') void push.resync()
    was = is
  }
  lifetime.defer(connection.subscribe(onConnection))
  void push.sync()
}

/** Users change it in the settings of the browser, too. */
async function watchPermission(push: PushNotifications, signal: AbortSignal): Promise<void> {
  try {
    const status = await navigator.permissions.query({ name: 'notifications' })
    status.addEventListener('change', () => void push.sync(), { signal })
  } catch {
    // Not every browser knows this permission; the next start checks it.
  }
}

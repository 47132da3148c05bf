import type { AccountConnection } from './account-connection.ts'

/** Reports whether the page is visible, as long as the connection exists: with it, contacts see the user as online. */
export function reportPresence(
  { command, self, onStart, lifetime }: Pick<AccountConnection, 'command' | 'self' | 'onStart' | 'lifetime'>,
  page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>,
): void {
  let pending = new AbortController()
  const report = () => {
    const visible = page.visibilityState === 'visible'
    // An earlier report that the server has postponed must not take effect after this one.
    pending.abort()
    pending = new AbortController()
    // The next change, or the next connection, reports again.
    command('presence.update', self, { visible }, { signal: pending.signal }).catch(() => {})
  }
  // A connection counts as visible at first.
  onStart(() => page.visibilityState === 'visible' || report())
  page.addEventListener('visibilitychange', report)
  lifetime.defer(() => page.removeEventListener('visibilitychange', report))
}

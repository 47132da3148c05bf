import type { TFunction } from 'i18next'
import { ROUTES, type Route, type RouteResults } from './connection-test.ts'

export type Fact = [name: string, value: string]

const protocols: Record<Route, string> = { udp: 'UDP', tcp: 'TCP', relay: 'TURN' }

/** The facts that support needs first. Of the page's URL only the host: its path may be a secret link. */
export function factsOf(results: RouteResults, t: TFunction): Fact[] {
  return [
    ...ROUTES.map(
      (route): Fact => [protocols[route], t(`connection.routeStatus.${statusOf(results[route])}`)],
    ),
    [t('connection.server'), location.host],
    [t('connection.time'), new Date().toISOString()],
    [t('connection.browser'), navigator.userAgent],
  ]
}

function statusOf(isOpen: boolean | undefined): 'open' | 'blocked' | 'missing' {
  if (isOpen === undefined) return 'missing'
  return isOpen ? 'open' : 'blocked'
}

import type { TFunction } from 'i18next'
import { type Findings, WAYS, type Way } from './connection-test.ts'

export type Fact = [name: string, value: string]

const protocols: Record<Way, string> = { udp: 'UDP', tcp: 'TCP', relay: 'TURN' }

/** What support asks first. Of the page's address only the host: its path may be a secret link. */
export function factsOf(findings: Findings, t: TFunction): Fact[] {
  return [
    ...WAYS.map((way): Fact => [protocols[way], t(`connection.way.${verdictOn(findings[way])}`)]),
    [t('connection.server'), location.host],
    [t('connection.time'), new Date().toISOString()],
    [t('connection.browser'), navigator.userAgent],
  ]
}

function verdictOn(isOpen: boolean | undefined): 'open' | 'shut' | 'missing' {
  if (isOpen === undefined) return 'missing'
  return isOpen ? 'open' : 'shut'
}

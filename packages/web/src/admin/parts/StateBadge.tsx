import type { AdminDelivery, AdminJob, AdminRoom, AdminUser, AuditRecord } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge, type Tone } from './Badge.tsx'
import { useLabels } from './use-labels.ts'

/** A thing with its state, as the API names it. */
type Stateful =
  | { of: 'user'; state: AdminUser['state'] }
  | { of: 'service-account'; state: 'active' | 'disabled' }
  | { of: 'room'; state: AdminRoom['status'] | 'live' }
  | { of: 'job'; state: AdminJob['state'] }
  | { of: 'delivery'; state: AdminDelivery['status'] }
  | { of: 'audit'; state: AuditRecord['outcome'] }
  | { of: 'record'; state: string } // an open set

/** States with one name have one tone wherever they are. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  disabled: 'warm',
  live: 'good',
  queued: 'warm',
  leased: 'good',
  pending: 'warm',
  delivered: 'good',
  failed: 'bad',
  started: 'bad',
  refused: 'warm',
  done: 'good',
  completed: 'good',
  incomplete: 'warm',
}

/** The state of a thing as a badge, the same in lists and on its page. */
export function StateBadge(thing: Stateful) {
  return <Badge tone={TONES[thing.state] ?? 'plain'}>{useStateText()(thing)}</Badge>
}

function useStateText() {
  const { t } = useTexts()
  const { recordStatus } = useLabels()
  return (thing: Stateful): string => {
    switch (thing.of) {
      case 'user':
      case 'service-account':
        return t(`admin.users.state.${thing.state}`)
      case 'room':
        return thing.state === 'live' ? t('admin.live') : t(`admin.rooms.status.${thing.state}`)
      case 'job':
        return t(`admin.jobs.state.${thing.state}`)
      case 'delivery':
        return t(`admin.webhooks.status.${thing.state}`)
      case 'audit':
        return t(`admin.audit.outcome.${thing.state}`)
      case 'record':
        return recordStatus(thing.state)
    }
  }
}

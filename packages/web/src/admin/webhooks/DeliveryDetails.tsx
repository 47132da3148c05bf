import type { AdminDeliveryAttempt, AdminDeliveryDetailsResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { DataTable } from '../list/DataTable.tsx'
import { Badge } from '../parts/Badge.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'
import { AccountLink, DeliveryStatus, ReplayButton } from './delivery-parts.tsx'

const REFRESH_MS = 5_000

/** A webhook delivery with its attempts. */
export function DeliveryDetails({ id }: { id: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const path = `/webhook-deliveries/${encodeURIComponent(id)}`
  const { state, reload } = useResource<AdminDeliveryDetailsResponse>(path, REFRESH_MS)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const delivery = state.body
  return (
    <>
      <Facts
        title={delivery.subject}
        facts={[
          { name: t('admin.column.serviceAccount'), value: <AccountLink name={delivery.service_account} /> },
          { name: t('admin.column.event'), value: delivery.event },
          { name: t('admin.column.created'), value: format.time(delivery.created_at * 1000) },
          { name: t('admin.column.state'), value: <DeliveryStatus delivery={delivery} /> },
          {
            name: t('admin.column.next'),
            value: delivery.next_attempt_at_ms === null ? '—' : format.time(delivery.next_attempt_at_ms),
          },
        ]}
      >
        <ReplayButton delivery={delivery} onDone={() => void reload()} />
      </Facts>
      {delivery.history.length === 0 ? (
        <p>{t('admin.webhooks.noAttempts')}</p>
      ) : (
        <DataTable
          label={t('admin.column.attempts')}
          rows={delivery.history}
          keyOf={attempt => attempt.started_at_ms}
          actionsLabel={t('admin.actions')}
          columns={[
            { key: 'time', label: t('admin.column.time'), render: each => format.time(each.started_at_ms) },
            { key: 'outcome', label: t('admin.column.outcome'), render: each => <Outcome attempt={each} /> },
            {
              key: 'duration',
              label: t('admin.column.duration'),
              render: each => (each.duration_ms === null ? '—' : format.milliseconds(each.duration_ms)),
              isNumeric: true,
            },
            {
              key: 'response',
              label: t('admin.webhooks.response'),
              render: each => (each.excerpt === null ? '—' : <bdi>{each.excerpt}</bdi>),
            },
          ]}
        />
      )}
    </>
  )
}

function Outcome({ attempt: { response_status: status, error } }: { attempt: AdminDeliveryAttempt }) {
  const { t } = useTexts()
  if (error === 'INTERRUPTED') return <Badge tone="warm">{t('admin.webhooks.interrupted')}</Badge>
  if (error === null) return <Badge tone="good">{`HTTP ${status}`}</Badge>
  return <Badge tone="bad">{error}</Badge>
}

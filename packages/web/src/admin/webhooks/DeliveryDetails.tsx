import type { AdminDeliveryDetailsResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useFormat } from '../parts/use-format.ts'
import { AttemptTable } from './AttemptTable.tsx'
import { AccountLink, ReplayButton } from './delivery-parts.tsx'

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
          { name: t('admin.column.state'), value: <StateBadge of="delivery" state={delivery.status} /> },
          {
            name: t('admin.column.next'),
            value: delivery.next_attempt_at_ms === null ? '—' : format.time(delivery.next_attempt_at_ms),
          },
        ]}
      >
        <ReplayButton delivery={delivery} onDone={() => void reload()} />
      </Facts>
      <AttemptTable history={delivery.history} />
    </>
  )
}

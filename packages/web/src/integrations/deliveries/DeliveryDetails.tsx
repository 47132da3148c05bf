import type { EndpointDeliveryDetails } from '@lectern/protocol'
import { useResource } from '../../admin/data/use-resource.ts'
import { Facts } from '../../admin/parts/Facts.tsx'
import { ResourceStatus } from '../../admin/parts/Resource.tsx'
import { StateBadge } from '../../admin/parts/StateBadge.tsx'
import { useFormat } from '../../admin/parts/use-format.ts'
import { AttemptTable } from '../../admin/webhooks/AttemptTable.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Payload } from '../Payload.tsx'
import styles from '../parts.module.css'
import { deliveryPath, ReplayButton } from './ReplayButton.tsx'

const REFRESH_MS = 5_000

/** One delivery to an endpoint: its content and its attempts. */
export function DeliveryDetails({ endpointId, id }: { endpointId: string; id: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const { state, reload } = useResource<EndpointDeliveryDetails>(deliveryPath(endpointId, id), REFRESH_MS)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const delivery = state.body
  const { type, event_id, created_at, status, next_attempt_at: next, history, payload } = delivery
  return (
    <>
      <Facts
        title={type}
        facts={[
          { name: t('integrations.event.id'), value: event_id, isLong: true },
          { name: t('admin.column.created'), value: format.time(Date.parse(created_at)) },
          { name: t('admin.column.state'), value: <StateBadge of="delivery" state={status} /> },
          { name: t('admin.column.next'), value: next === null ? '—' : format.time(Date.parse(next)) },
        ]}
      >
        <ReplayButton endpointId={endpointId} delivery={delivery} onDone={() => void reload()} />
      </Facts>
      <AttemptTable history={history} />
      <section className={styles.part}>
        <h2>{t('integrations.event.payload')}</h2>
        <Payload label={t('integrations.event.payload')} value={payload} />
      </section>
    </>
  )
}

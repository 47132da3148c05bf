import type { EndpointDelivery } from '@lectern/protocol'
import { ListSection } from '../../admin/list/ListSection.tsx'
import { StateBadge } from '../../admin/parts/StateBadge.tsx'
import { useFormat } from '../../admin/parts/use-format.ts'
import { useDeliveryFilters, useDeliveryList } from '../../admin/webhooks/use-delivery-list.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { newestFirst, pageOf } from '../pages.ts'
import { useIntegrationPath } from '../use-integration.ts'
import { deliveryPath, ReplayButton } from './ReplayButton.tsx'

const read = pageOf<'deliveries', EndpointDelivery>('deliveries')

interface Props {
  endpointId: string
  /** A change of it loads the list again. */
  refreshes: number
}

/** The deliveries to an endpoint; the newest first. */
export function DeliveryList({ endpointId, refreshes }: Props) {
  const { t } = useTexts()
  const format = useFormat()
  const path = useIntegrationPath()
  const list = useDeliveryList(deliveryPath(endpointId), read, refreshes)
  return (
    <ListSection
      title={t('partnerConsole.deliveries')}
      list={list}
      query={newestFirst}
      keyOf={({ id }: EndpointDelivery) => id}
      hrefOf={({ id }) => path('endpoints', endpointId, id)}
      empty={t('admin.webhooks.none')}
      emptyHint={t('integrations.event.hint')}
      filters={useDeliveryFilters()}
      columns={[
        { key: 'event', label: t('admin.column.event'), render: ({ type }) => type },
        {
          key: 'created',
          label: t('admin.column.created'),
          render: ({ created_at }) => format.time(Date.parse(created_at)),
        },
        {
          key: 'status',
          label: t('admin.column.state'),
          render: ({ status }) => <StateBadge of="delivery" state={status} />,
        },
        {
          key: 'attempts',
          label: t('admin.column.lastAttempt'),
          render: ({ attempts, response_status: status, error }) =>
            [
              t('admin.webhooks.attempts', { number: attempts }),
              error ?? (status === null ? null : `HTTP ${status}`),
            ]
              .filter(part => part !== null)
              .join(' · '),
        },
      ]}
      actions={delivery => (
        <ReplayButton endpointId={endpointId} delivery={delivery} onDone={() => void list.refresh()} />
      )}
    />
  )
}

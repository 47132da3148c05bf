import type { AdminDelivery, AdminDeliveryListResponse } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ListSection } from '../list/ListSection.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useFormat } from '../parts/use-format.ts'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { AccountLink, ReplayButton } from './delivery-parts.tsx'
import { useDeliveryFilters, useDeliveryList } from './use-delivery-list.ts'

const read = ({ deliveries, next }: AdminDeliveryListResponse) => ({ rows: deliveries, next })

export function WebhooksSection({ id }: { id: string | null }) {
  const { t } = useTexts()
  if (id !== null) return <DeliveryDetails id={id} />
  return <DeliveryList path="/webhook-deliveries" title={t('admin.sections.webhooks')} />
}

interface ListProps {
  /** The path of a list of webhook deliveries. */
  path: string
  title: string
  /** All are of one service account. */
  isOfOneAccount?: boolean
  /** A change of it loads the list again. */
  refreshes?: number
}

export function DeliveryList({ path, title, isOfOneAccount = false, refreshes = 0 }: ListProps) {
  const { t } = useTexts()
  const format = useFormat()
  const list = useDeliveryList(path, read, refreshes)
  return (
    <ListSection
      title={title}
      list={list}
      keyOf={({ id }: AdminDelivery) => id}
      hrefOf={({ id }) => homePath('admin', 'webhooks', id)}
      empty={t('admin.webhooks.none')}
      emptyHint={t('adminPages.how.webhooks')}
      filters={useDeliveryFilters()}
      columns={[
        { key: 'subject', label: t('admin.column.subject'), render: each => each.subject },
        {
          key: 'created',
          label: t('admin.column.created'),
          render: each => format.time(each.created_at * 1000),
        },
        ...(isOfOneAccount
          ? []
          : [
              {
                key: 'account',
                label: t('admin.column.serviceAccount'),
                render: ({ service_account }: AdminDelivery) => <AccountLink name={service_account} />,
              },
            ]),
        { key: 'event', label: t('admin.column.event'), render: each => each.event },
        {
          key: 'status',
          label: t('admin.column.state'),
          render: ({ status }) => <StateBadge of="delivery" state={status} />,
        },
        {
          key: 'attempts',
          label: t('admin.column.lastAttempt'),
          render: each => <Attempts delivery={each} />,
        },
      ]}
      actions={delivery => <ReplayButton delivery={delivery} onDone={() => void list.refresh()} />}
    />
  )
}

function Attempts({ delivery }: { delivery: AdminDelivery }) {
  const { t } = useTexts()
  const format = useFormat()
  const { attempts, response_status: status, error, next_attempt_at_ms: nextMs } = delivery
  const parts = [
    t('admin.webhooks.attempts', { number: attempts }),
    status === null ? null : `HTTP ${status}`,
    error,
    nextMs === null ? null : t('admin.webhooks.next', { time: format.time(nextMs) }),
  ]
  // The error of a receiver that refused is its status.
  return [...new Set(parts.filter(part => part !== null))].join(' · ')
}

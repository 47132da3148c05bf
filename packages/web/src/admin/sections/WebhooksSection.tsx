import type { AdminDelivery, AdminDeliveryListResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { ActionButton } from '../ActionButton.tsx'
import { Badge, type Tone } from '../Badge.tsx'
import { ListSection } from '../ListSection.tsx'
import { useAdmin } from '../use-admin.ts'
import { useFormat } from '../use-format.ts'
import { useList } from '../use-list.ts'

const STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
const TONES: Record<AdminDelivery['status'], Tone> = {
  pending: 'warm',
  delivered: 'good',
  failed: 'bad',
  cancelled: 'plain',
}
const read = ({ deliveries, next }: AdminDeliveryListResponse) => ({ rows: deliveries, next })

export function WebhooksSection() {
  const { t } = useTexts()
  const { api } = useAdmin()
  const format = useFormat()
  const list = useList('/webhook-deliveries', read)
  return (
    <ListSection
      title={t('admin.sections.webhooks')}
      list={list}
      keyOf={({ id }: AdminDelivery) => id}
      empty={t('admin.webhooks.none')}
      filters={[
        {
          name: 'status',
          label: t('admin.column.state'),
          options: [
            { value: '', label: t('admin.all') },
            ...STATUSES.map(value => ({ value, label: t(`admin.webhooks.status.${value}`) })),
          ],
        },
      ]}
      columns={[
        {
          key: 'created',
          label: t('admin.column.created'),
          render: each => format.time(each.created_at * 1000),
        },
        { key: 'account', label: t('admin.column.serviceAccount'), render: each => each.service_account },
        { key: 'event', label: t('admin.column.event'), render: each => each.event },
        { key: 'subject', label: t('admin.column.subject'), render: each => each.subject },
        {
          key: 'status',
          label: t('admin.column.state'),
          render: each => (
            <Badge tone={TONES[each.status]}>{t(`admin.webhooks.status.${each.status}`)}</Badge>
          ),
        },
        {
          key: 'attempts',
          label: t('admin.column.lastAttempt'),
          render: each => <Attempts delivery={each} />,
        },
      ]}
      actions={delivery => (
        <ActionButton
          label={t('admin.webhooks.replay')}
          name={t('admin.webhooks.replayNamed', { subject: delivery.subject })}
          question={t('admin.webhooks.replayQuestion', { account: delivery.service_account })}
          done={t('admin.webhooks.replayed')}
          run={() => api.post(`/webhook-deliveries/${encodeURIComponent(delivery.id)}/replay`)}
          onDone={() => void list.refresh()}
        />
      )}
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
  return parts.filter(part => part !== null).join(' · ')
}

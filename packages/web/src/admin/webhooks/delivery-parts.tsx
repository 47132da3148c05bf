import type { AdminDelivery } from '@lectern/protocol'
import { useEffect } from 'react'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { ActionButton } from '../parts/ActionButton.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useAdmin } from '../use-admin.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
const POLL_MS = 5_000

/** Deliveries that wait or are being sent change by themselves. */
export function usePolling(list: { poll: () => Promise<void> }, isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void list.poll(), POLL_MS)
    return () => clearInterval(timer)
  }, [list, isWaiting])
}

/** Leads to the console of a service account. */
export function AccountLink({ name }: { name: string }) {
  return <Link href={homePath('admin', 'service-accounts', name)}>{name}</Link>
}

export function DeliveryStatus({ delivery: { status } }: { delivery: AdminDelivery }) {
  return <StateBadge of="delivery" state={status} />
}

export function ReplayButton({ delivery, onDone }: { delivery: AdminDelivery; onDone: () => void }) {
  const { t } = useTexts()
  const { api } = useAdmin()
  return (
    <ActionButton
      label={t('admin.webhooks.replay')}
      name={t('admin.webhooks.replayNamed', { subject: delivery.subject })}
      question={t('admin.webhooks.replayQuestion', { account: delivery.service_account })}
      done={t('admin.webhooks.replayed')}
      run={() => api.post(`/webhook-deliveries/${encodeURIComponent(delivery.id)}/replay`)}
      onDone={onDone}
    />
  )
}

import type { AdminDelivery } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { ActionButton } from '../parts/ActionButton.tsx'
import { useAdmin } from '../use-admin.ts'

/** Leads to the console of a service account. */
export function AccountLink({ name }: { name: string }) {
  return <Link href={homePath('admin', 'service-accounts', name)}>{name}</Link>
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

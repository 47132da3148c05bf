import type { EndpointDelivery } from '@lectern/protocol'
import { ActionButton } from '../../admin/parts/ActionButton.tsx'
import { useAdmin } from '../../admin/use-admin.ts'
import { useTexts } from '../../texts/use-texts.ts'

/** The path of the deliveries of an endpoint, or of one delivery. */
export const deliveryPath = (endpointId: string, id?: string) =>
  ['/endpoints', endpointId, 'deliveries', ...(id === undefined ? [] : [id])]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/')

interface Props {
  endpointId: string
  delivery: Pick<EndpointDelivery, 'id' | 'type' | 'event_id'>
  onDone: () => void
}

export function ReplayButton({ endpointId, delivery: { id, type, event_id }, onDone }: Props) {
  const { t } = useTexts()
  const { api } = useAdmin()
  return (
    <ActionButton
      label={t('admin.webhooks.replay')}
      name={t('admin.webhooks.replayNamed', { subject: `${type} ${event_id}` })}
      question={t('integrations.endpoint.replayQuestion')}
      done={t('admin.webhooks.replayed')}
      run={() => api.post(`${deliveryPath(endpointId, id)}/replay`)}
      onDone={onDone}
    />
  )
}

import type { Endpoint, EndpointListResponse } from '@lectern/protocol'
import { useState } from 'react'
import { useResource } from '../../admin/data/use-resource.ts'
import { DataTable } from '../../admin/list/DataTable.tsx'
import { EmptyList } from '../../admin/list/EmptyList.tsx'
import { ResourceStatus } from '../../admin/parts/Resource.tsx'
import { useFormat } from '../../admin/parts/use-format.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { DeliveryDetails } from '../deliveries/DeliveryDetails.tsx'
import { useIntegrationPath } from '../use-integration.ts'
import { EndpointDetails } from './EndpointDetails.tsx'
import { EndpointDialog } from './EndpointDialog.tsx'
import styles from './EndpointsSection.module.css'
import { EndpointState } from './endpoint-parts.tsx'

interface Props {
  id: string | null
  deliveryId: string | null
}

export function EndpointsSection({ id, deliveryId }: Props) {
  if (id === null) return <EndpointList />
  return deliveryId === null ? (
    <EndpointDetails id={id} />
  ) : (
    <DeliveryDetails endpointId={id} id={deliveryId} />
  )
}

function EndpointList() {
  const { t } = useTexts()
  const format = useFormat()
  const path = useIntegrationPath()
  const { state, reload } = useResource<EndpointListResponse>('/endpoints')
  const [isAdding, setAdding] = useState(false)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const { endpoints } = state.body
  return (
    <>
      <div className={styles.tools}>
        <Button onClick={() => setAdding(true)}>{t('integrations.endpoint.create')}</Button>
      </div>
      {endpoints.length === 0 ? (
        <EmptyList text={t('integrations.endpoint.none')} hint={t('integrations.endpoint.hint')} />
      ) : (
        <DataTable
          label={t('integrations.sections.endpoints')}
          rows={endpoints}
          keyOf={({ id }: Endpoint) => id}
          hrefOf={({ id }) => path('endpoints', id)}
          actionsLabel={t('admin.actions')}
          columns={[
            { key: 'url', label: t('partnerConsole.url'), render: ({ url }) => <bdi>{url}</bdi> },
            {
              key: 'description',
              label: t('integrations.endpoint.description'),
              render: ({ description }) => <bdi>{description ?? '—'}</bdi>,
            },
            {
              key: 'state',
              label: t('admin.column.state'),
              render: endpoint => <EndpointState endpoint={endpoint} />,
            },
            {
              key: 'created',
              label: t('admin.column.created'),
              render: ({ created_at }) => format.time(Date.parse(created_at)),
            },
          ]}
        />
      )}
      {isAdding && (
        <EndpointDialog endpoint={null} onSaved={() => void reload()} onClose={() => setAdding(false)} />
      )}
    </>
  )
}

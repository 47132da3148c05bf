import type { Endpoint } from '@lectern/protocol'
import { useState } from 'react'
import { useResource } from '../../admin/data/use-resource.ts'
import { Facts } from '../../admin/parts/Facts.tsx'
import { ResourceStatus } from '../../admin/parts/Resource.tsx'
import { useFormat } from '../../admin/parts/use-format.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { DeliveryList } from '../deliveries/DeliveryList.tsx'
import { EVENT_TYPES } from '../events/event-types.ts'
import styles from '../parts.module.css'
import { EndpointButtons, EndpointMenu, EndpointState, pathOf } from './endpoint-parts.tsx'

/** An endpoint, and what was sent to it. */
export function EndpointDetails({ id }: { id: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const { state, reload } = useResource<Endpoint>(pathOf({ id }))
  const [sent, setSent] = useState(0)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const endpoint = state.body
  const { url, description, events, previous_secret_expires_at: until } = endpoint
  const isOfAll = EVENT_TYPES.every(type => events.includes(type))
  return (
    <>
      <Facts
        title={description ?? url}
        menu={<EndpointMenu endpoint={endpoint} onChanged={() => void reload()} />}
        facts={[
          { name: t('partnerConsole.url'), value: <bdi>{url}</bdi>, isLong: true },
          { name: t('partnerConsole.events'), value: isOfAll ? t('admin.all') : events.join(', ') },
          { name: t('admin.column.state'), value: <EndpointState endpoint={endpoint} /> },
          ...(until === null
            ? []
            : [
                {
                  name: t('partnerConsole.previous'),
                  value: t('partnerConsole.until', { time: format.time(Date.parse(until)) }),
                },
              ]),
        ]}
      >
        <EndpointButtons
          endpoint={endpoint}
          onChanged={() => void reload()}
          onSent={() => setSent(sent + 1)}
        />
      </Facts>
      <section className={styles.part}>
        <h2>{t('partnerConsole.deliveries')}</h2>
        <DeliveryList endpointId={id} refreshes={sent} />
      </section>
    </>
  )
}

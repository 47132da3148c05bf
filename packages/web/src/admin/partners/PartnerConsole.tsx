import type { AdminServiceAccount } from '@lectern/protocol'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'
import { RoomList } from '../rooms/RoomList.tsx'
import { DeliveryList } from '../webhooks/WebhooksSection.tsx'
import { ClientSecretPanel } from './ClientSecretPanel.tsx'
import { OwnersPanel } from './OwnersPanel.tsx'
import styles from './PartnerConsole.module.css'
import { ServiceAccountMenu, ServiceAccountState } from './service-account-parts.tsx'
import { WebhookPanel } from './WebhookPanel.tsx'

/** The console of a service account: its webhook, deliveries and rooms. */
export function PartnerConsole({ name }: { name: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const [sent, setSent] = useState(0)
  const path = `/service-accounts/${encodeURIComponent(name)}`
  const { state, reload } = useResource<AdminServiceAccount>(path)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const { login, scopes, created_at } = state.body
  return (
    <>
      <Facts
        title={name}
        menu={<ServiceAccountMenu account={state.body} onChanged={() => void reload()} />}
        facts={[
          { name: t('admin.column.technicalUser'), value: login ?? '—' },
          { name: t('admin.column.scopes'), value: scopes.join(', ') },
          { name: t('admin.column.state'), value: <ServiceAccountState account={state.body} /> },
          { name: t('admin.column.created'), value: format.time(created_at * 1000) },
        ]}
      />
      <OwnersPanel name={name} owners={state.body.owners} onChanged={() => void reload()} />
      <ClientSecretPanel name={name} path={`${path}/client-secret`} />
      <WebhookPanel name={name} path={`${path}/webhook`} onSent={() => setSent(sent + 1)} />
      <div className={styles.part}>
        <h2>{t('partnerConsole.deliveries')}</h2>
        <DeliveryList
          path={`${path}/webhook-deliveries`}
          title={t('partnerConsole.deliveries')}
          isOfOneAccount
          refreshes={sent}
        />
      </div>
      <div className={styles.part}>
        <h2>{t('partnerConsole.rooms')}</h2>
        <RoomList path={`${path}/rooms`} title={t('partnerConsole.rooms')} isOfOneAccount />
      </div>
    </>
  )
}

import type { OwnedServiceAccount } from '@lectern/protocol'
import { ClientSecretPanel } from '../../admin/partners/ClientSecretPanel.tsx'
import { Facts } from '../../admin/parts/Facts.tsx'
import { StateBadge } from '../../admin/parts/StateBadge.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { UsagePanel } from './UsagePanel.tsx'

/** The service account itself: what it used, and its client secret. */
export function OverviewSection({ account: { name, login, enabled } }: { account: OwnedServiceAccount }) {
  const { t } = useTexts()
  return (
    <>
      <Facts
        title={name}
        facts={[
          { name: t('admin.column.technicalUser'), value: login },
          {
            name: t('admin.column.state'),
            value: <StateBadge of="service-account" state={enabled ? 'active' : 'disabled'} />,
          },
        ]}
      >
        {!enabled && <p>{t('integrations.disabled')}</p>}
      </Facts>
      {enabled && (
        <>
          <UsagePanel />
          <ClientSecretPanel name={name} path="/client-secret" />
        </>
      )}
    </>
  )
}

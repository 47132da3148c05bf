import type { OwnedServiceAccount } from '@lectern/protocol'
import { homePath } from '../address.ts'
import { DataTable } from '../admin/list/DataTable.tsx'
import { StateBadge } from '../admin/parts/StateBadge.tsx'
import { useTexts } from '../texts/use-texts.ts'

/** The service accounts for which the user acts. */
export function AccountList({ accounts }: { accounts: readonly OwnedServiceAccount[] }) {
  const { t } = useTexts()
  return (
    <DataTable
      label={t('home.pages.integrations')}
      rows={accounts}
      keyOf={({ name }) => name}
      hrefOf={({ name }) => homePath('integrations', name)}
      actionsLabel={t('admin.actions')}
      columns={[
        { key: 'name', label: t('admin.column.serviceAccount'), render: ({ name }) => name },
        { key: 'login', label: t('admin.column.technicalUser'), render: ({ login }) => login },
        {
          key: 'state',
          label: t('admin.column.state'),
          render: ({ enabled }) => (
            <StateBadge of="service-account" state={enabled ? 'active' : 'disabled'} />
          ),
        },
      ]}
    />
  )
}

import type { AdminServiceAccount, AdminServiceAccountListResponse } from '@lectern/protocol'
import { useState } from 'react'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { useFormat } from '../parts/use-format.ts'
import { CreateServiceAccountDialog } from './CreateServiceAccountDialog.tsx'
import { PartnerConsole } from './PartnerConsole.tsx'
import { ServiceAccountMenu, ServiceAccountState } from './service-account-parts.tsx'

const read = ({ service_accounts, next }: AdminServiceAccountListResponse) => ({
  rows: service_accounts,
  next,
})

export function ServiceAccountsSection({ id }: { id: string | null }) {
  return id === null ? <ServiceAccountList /> : <PartnerConsole name={id} />
}

function ServiceAccountList() {
  const { t } = useTexts()
  const format = useFormat()
  const list = useList('/service-accounts', read)
  const [isCreating, setCreating] = useState(false)
  const refresh = () => void list.refresh()
  return (
    <>
      <ListSection
        title={t('admin.sections.service-accounts')}
        list={list}
        keyOf={({ name }: AdminServiceAccount) => name}
        hrefOf={({ name }) => homePath('admin', 'service-accounts', name)}
        empty={t('admin.serviceAccounts.none')}
        emptyHint={t('adminPages.how.serviceAccounts')}
        searchLabel={t('admin.serviceAccounts.search')}
        columns={[
          { key: 'name', label: t('admin.column.name'), render: account => account.name },
          { key: 'login', label: t('admin.column.technicalUser'), render: account => account.login ?? '—' },
          { key: 'scopes', label: t('admin.column.scopes'), render: account => account.scopes.join(', ') },
          {
            key: 'state',
            label: t('admin.column.state'),
            render: account => <ServiceAccountState account={account} />,
          },
          {
            key: 'created',
            label: t('admin.column.created'),
            render: account => format.time(account.created_at * 1000),
          },
        ]}
        actions={account => <ServiceAccountMenu account={account} onChanged={refresh} />}
      >
        <Button onClick={() => setCreating(true)}>{t('admin.serviceAccounts.create')}</Button>
      </ListSection>
      {isCreating && <CreateServiceAccountDialog onCreated={refresh} onClose={() => setCreating(false)} />}
    </>
  )
}

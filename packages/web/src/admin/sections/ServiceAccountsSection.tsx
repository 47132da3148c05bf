import type { AdminServiceAccount, AdminServiceAccountListResponse } from '@lectern/protocol'
import { useState } from 'react'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { ActionButton } from '../ActionButton.tsx'
import { Badge } from '../Badge.tsx'
import { ListSection } from '../ListSection.tsx'
import { PartnerConsole } from '../partner/PartnerConsole.tsx'
import { useAdmin } from '../use-admin.ts'
import { useFormat } from '../use-format.ts'
import { useList } from '../use-list.ts'
import { ServiceAccountDialog } from './ServiceAccountDialog.tsx'

const read = ({ service_accounts, next }: AdminServiceAccountListResponse) => ({
  rows: service_accounts,
  next,
})

export function ServiceAccountsSection({ id }: { id: string | null }) {
  return id === null ? <ServiceAccountList /> : <PartnerConsole name={id} />
}

function ServiceAccountList() {
  const { t } = useTexts()
  const { api } = useAdmin()
  const format = useFormat()
  const list = useList('/service-accounts', read)
  const [editing, setEditing] = useState<AdminServiceAccount | 'new' | null>(null)
  const refresh = () => void list.refresh()
  return (
    <>
      <ListSection
        title={t('admin.sections.service-accounts')}
        list={list}
        keyOf={({ name }: AdminServiceAccount) => name}
        empty={t('admin.serviceAccounts.none')}
        searchLabel={t('admin.serviceAccounts.search')}
        columns={[
          {
            key: 'name',
            label: t('admin.column.name'),
            render: ({ name }) => <Link href={homePath('admin', 'service-accounts', name)}>{name}</Link>,
          },
          { key: 'login', label: t('admin.column.technicalUser'), render: account => account.login ?? '—' },
          { key: 'scopes', label: t('admin.column.scopes'), render: account => account.scopes.join(', ') },
          {
            key: 'state',
            label: t('admin.column.state'),
            render: ({ enabled }) =>
              enabled ? (
                <Badge tone="good">{t('admin.users.state.active')}</Badge>
              ) : (
                <Badge tone="warm">{t('admin.users.state.disabled')}</Badge>
              ),
          },
          {
            key: 'created',
            label: t('admin.column.created'),
            render: account => format.time(account.created_at * 1000),
          },
        ]}
        actions={account => {
          const { name, enabled } = account
          return (
            <>
              <Button secondary onClick={() => setEditing(account)}>
                {t('admin.column.scopes')}
              </Button>{' '}
              <ActionButton
                label={enabled ? t('admin.users.disable') : t('admin.users.enable')}
                name={
                  enabled
                    ? t('admin.serviceAccounts.disableNamed', { name })
                    : t('admin.serviceAccounts.enableNamed', { name })
                }
                question={
                  enabled
                    ? t('admin.serviceAccounts.disableQuestion', { name })
                    : t('admin.users.enableQuestion', { login: name })
                }
                done={
                  enabled
                    ? t('admin.users.disabled', { login: name })
                    : t('admin.users.enabled', { login: name })
                }
                danger={enabled}
                run={() => api.patch(`/service-accounts/${encodeURIComponent(name)}`, { enabled: !enabled })}
                onDone={refresh}
              />
            </>
          )
        }}
      >
        <Button onClick={() => setEditing('new')}>{t('admin.serviceAccounts.create')}</Button>
      </ListSection>
      {editing !== null && (
        <ServiceAccountDialog
          account={editing === 'new' ? null : editing}
          onSaved={refresh}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}

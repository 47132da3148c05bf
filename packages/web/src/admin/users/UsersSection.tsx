import type { AdminUser, AdminUserListResponse } from '@lectern/protocol'
import { useState } from 'react'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useLabels } from '../parts/use-labels.ts'
import { CreateUserDialog } from './CreateUserDialog.tsx'
import { UserDetails } from './UserDetails.tsx'

const STATES = ['active', 'disabled', 'deleted'] as const
const KINDS = ['ordinary', 'technical', 'worker', 'guest'] as const
const read = ({ users, next }: AdminUserListResponse) => ({ rows: users, next })

export function UsersSection({ id }: { id: string | null }) {
  return id === null ? <UserList /> : <UserDetails id={id} />
}

function UserList() {
  const { t } = useTexts()
  const format = useFormat()
  const labels = useLabels()
  const list = useList('/users', read)
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <ListSection
        title={t('admin.sections.users')}
        list={list}
        keyOf={({ user_id }: AdminUser) => user_id}
        hrefOf={({ user_id }) => homePath('admin', 'users', String(user_id))}
        empty={t('admin.users.none')}
        emptyHint={t('adminPages.how.users')}
        searchLabel={t('admin.users.search')}
        initial={{ kind: 'ordinary' }}
        filters={[
          {
            name: 'kind',
            label: t('admin.column.kind'),
            options: KINDS.map(value => ({ value, label: t(`admin.users.kind.${value}`) })),
          },
          {
            name: 'state',
            label: t('admin.column.state'),
            options: STATES.map(value => ({ value, label: t(`admin.users.state.${value}`) })),
          },
        ]}
        columns={[
          {
            key: 'login',
            label: t('admin.column.login'),
            render: user => user.login,
          },
          {
            key: 'name',
            label: t('admin.column.name'),
            render: user => <bdi>{user.display_name || '—'}</bdi>,
          },
          { key: 'kind', label: t('admin.column.kind'), render: user => t(`admin.users.kind.${user.kind}`) },
          {
            key: 'state',
            label: t('admin.column.state'),
            render: ({ state }) => <StateBadge of="user" state={state} />,
          },
          {
            key: 'capabilities',
            label: t('admin.column.capabilities'),
            render: user => labels.capabilities(user.capabilities),
          },
          {
            key: 'created',
            label: t('admin.column.created'),
            render: user => format.time(user.created_at * 1000),
          },
        ]}
      >
        <Button onClick={() => setCreating(true)}>{t('admin.users.create')}</Button>
      </ListSection>
      {isCreating && (
        <CreateUserDialog onCreated={() => void list.refresh()} onClose={() => setCreating(false)} />
      )}
    </>
  )
}

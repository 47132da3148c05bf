import type { AdminInvitationResponse, AdminUserResponse } from '@lectern/protocol'
import { useState } from 'react'
import { homePath } from '../../address.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { useResource } from '../data/use-resource.ts'
import { ActionMenu, type MenuAction } from '../parts/ActionMenu.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useLabels } from '../parts/use-labels.ts'
import { RelatedAudit } from '../system/AuditSection.tsx'
import { useAdmin } from '../use-admin.ts'
import { UserForms } from './UserForms.tsx'

/** An account, and everything that can be done with it. */
export function UserDetails({ id }: { id: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const labels = useLabels()
  const path = `/users/${encodeURIComponent(id)}`
  const { state, reload, set } = useResource<AdminUserResponse>(path)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const user = state.body
  return (
    <>
      <Facts
        title={user.login}
        menu={user.state !== 'deleted' && <UserMenu user={user} path={path} reload={reload} />}
        facts={[
          { name: t('admin.column.name'), value: <bdi>{user.display_name || '—'}</bdi> },
          { name: t('admin.column.kind'), value: t(`admin.users.kind.${user.kind}`) },
          { name: t('admin.column.state'), value: <StateBadge of="user" state={user.state} /> },
          { name: t('admin.column.capabilities'), value: labels.capabilities(user.capabilities) },
          { name: t('admin.users.signIns'), value: format.number(user.sign_ins) },
          {
            name: t('admin.users.password'),
            value: user.has_password ? t('admin.users.hasPassword') : t('admin.users.noPassword'),
          },
          { name: t('admin.users.email'), value: <bdi>{user.email ?? '—'}</bdi> },
          { name: t('admin.column.created'), value: format.time(user.created_at * 1000) },
        ]}
      />
      {user.state !== 'deleted' && <UserForms key={user.login} user={user} path={path} onChanged={set} />}
      <RelatedAudit query={{ user: user.login }} />
    </>
  )
}

interface MenuProps {
  user: AdminUserResponse
  path: string
  reload: () => Promise<void>
}

function UserMenu({ user, path, reload }: MenuProps) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const { go } = useSite()
  const { login } = user
  const isDisabled = user.state === 'disabled'
  const [invitation, setInvitation] = useState<string | null>(null)
  const invite = async () => {
    const answer = await api.post<AdminInvitationResponse>(`${path}/invitation`)
    if (answer.is === 'ok') setInvitation(answer.body.invitation_url)
    return answer
  }
  const onDone = () => void reload()
  const actions: MenuAction[] = []
  if (user.kind === 'ordinary' && user.has_own_login && !isDisabled)
    actions.push({
      label: t('admin.users.invite'),
      question: t('admin.users.inviteQuestion', { login }),
      done: t('admin.users.invited'),
      run: invite,
      onDone: () => {},
    })
  if (isDisabled)
    actions.push({
      label: t('admin.users.enable'),
      question: t('admin.users.enableQuestion', { login }),
      done: t('admin.users.enabled', { login }),
      run: () => api.patch(path, { disabled: false }),
      onDone,
    })
  if (user.sign_ins > 0)
    actions.push({
      label: t('admin.users.endSignIns'),
      question: t('admin.users.endSignInsQuestion', { login }),
      done: t('admin.users.signInsEnded'),
      danger: true,
      run: () => api.delete(`${path}/sign-ins`),
      onDone,
    })
  if (user.kind !== 'guest' && !isDisabled)
    actions.push({
      label: t('admin.users.disable'),
      question: t('admin.users.disableQuestion', { login }),
      done: t('admin.users.disabled', { login }),
      danger: true,
      run: () => api.patch(path, { disabled: true }),
      onDone,
    })
  actions.push({
    label: t('admin.delete'),
    question: t('admin.users.deleteQuestion', { login }),
    done: t('admin.users.deleted', { login }),
    danger: true,
    run: () => api.delete(path),
    onDone: () => go(homePath('admin', 'users')),
  })
  return (
    <>
      <ActionMenu name={login} actions={actions} />
      {invitation !== null && (
        <Dialog title={t('admin.users.invitation')} onClose={() => setInvitation(null)}>
          <ShownOnce
            label={t('admin.users.invitation')}
            note={t('admin.users.invitationNote')}
            value={invitation}
          />
        </Dialog>
      )}
    </>
  )
}

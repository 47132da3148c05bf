import type { AdminServiceAccount } from '@lectern/protocol'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { ActionMenu } from '../parts/ActionMenu.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useAdmin } from '../use-admin.ts'
import { KeepDaysDialog } from './KeepDaysDialog.tsx'
import { ScopesDialog } from './ScopesDialog.tsx'

export function ServiceAccountState({ account: { enabled } }: { account: AdminServiceAccount }) {
  return <StateBadge of="service-account" state={enabled ? 'active' : 'disabled'} />
}

interface Props {
  account: AdminServiceAccount
  onChanged: () => void
}

/** The menu with the changes of a service account: its scopes, how long recordings are kept, and whether it is enabled. */
export function ServiceAccountMenu({ account, onChanged }: Props) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const [isEditing, setEditing] = useState(false)
  const [isKeeping, setKeeping] = useState(false)
  const { name, enabled } = account
  const setEnabled = () => api.patch(`/service-accounts/${encodeURIComponent(name)}`, { enabled: !enabled })
  return (
    <>
      <ActionMenu
        name={name}
        actions={[
          { label: t('adminPages.changeScopes'), open: () => setEditing(true) },
          { label: t('adminPages.keep.verb'), open: () => setKeeping(true) },
          enabled
            ? {
                label: t('admin.users.disable'),
                question: t('admin.serviceAccounts.disableQuestion', { name }),
                done: t('admin.users.disabled', { login: name }),
                danger: true,
                run: setEnabled,
                onDone: onChanged,
              }
            : {
                label: t('admin.users.enable'),
                question: t('admin.users.enableQuestion', { login: name }),
                done: t('admin.users.enabled', { login: name }),
                run: setEnabled,
                onDone: onChanged,
              },
        ]}
      />
      {isEditing && <ScopesDialog account={account} onSaved={onChanged} onClose={() => setEditing(false)} />}
      {isKeeping && (
        <KeepDaysDialog account={account} onSaved={onChanged} onClose={() => setKeeping(false)} />
      )}
    </>
  )
}

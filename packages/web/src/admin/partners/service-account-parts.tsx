import type { AdminServiceAccount } from '@lectern/protocol'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from '../parts/ActionButton.module.css'
import { ActionButton } from '../parts/ActionButton.tsx'
import { Badge } from '../parts/Badge.tsx'
import { useAdmin } from '../use-admin.ts'
import { ServiceAccountDialog } from './ServiceAccountDialog.tsx'

export function ServiceAccountState({ account: { enabled } }: { account: AdminServiceAccount }) {
  const { t } = useTexts()
  return enabled ? (
    <Badge tone="good">{t('admin.users.state.active')}</Badge>
  ) : (
    <Badge tone="warm">{t('admin.users.state.disabled')}</Badge>
  )
}

interface Props {
  account: AdminServiceAccount
  onChanged: () => void
}

/** What administrators change of a service account: its scopes, and whether it is enabled. */
export function ServiceAccountActions({ account, onChanged }: Props) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const [isEditing, setEditing] = useState(false)
  const { name, enabled } = account
  return (
    <>
      <button
        type="button"
        className={styles.action}
        aria-label={t('admin.serviceAccounts.scopesNamed', { name })}
        onClick={() => setEditing(true)}
      >
        {t('admin.column.scopes')}
      </button>
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
          enabled ? t('admin.users.disabled', { login: name }) : t('admin.users.enabled', { login: name })
        }
        danger={enabled}
        run={() => api.patch(`/service-accounts/${encodeURIComponent(name)}`, { enabled: !enabled })}
        onDone={onChanged}
      />
      {isEditing && (
        <ServiceAccountDialog account={account} onSaved={onChanged} onClose={() => setEditing(false)} />
      )}
    </>
  )
}

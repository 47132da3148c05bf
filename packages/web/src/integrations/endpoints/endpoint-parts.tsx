import type { Endpoint } from '@lectern/protocol'
import { useState } from 'react'
import { ActionMenu, type MenuAction } from '../../admin/parts/ActionMenu.tsx'
import { Badge } from '../../admin/parts/Badge.tsx'
import { useAdmin } from '../../admin/use-admin.ts'
import { WebhookButtons } from '../../admin/webhooks/WebhookButtons.tsx'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useIntegrationPath } from '../use-integration.ts'
import { EndpointDialog } from './EndpointDialog.tsx'

export function EndpointState({ endpoint: { enabled, disabled_reason } }: { endpoint: Endpoint }) {
  const { t } = useTexts()
  if (enabled) return <Badge tone="good">{t('partnerConsole.enabled')}</Badge>
  return disabled_reason === 'failing' ? (
    <Badge tone="bad">{t('integrations.endpoint.failing')}</Badge>
  ) : (
    <Badge tone="warm">{t('partnerConsole.disabled')}</Badge>
  )
}

interface Props {
  endpoint: Endpoint
  onChanged: () => void
}

export const pathOf = ({ id }: Pick<Endpoint, 'id'>) => `/endpoints/${encodeURIComponent(id)}`

export function EndpointButtons({ endpoint, onChanged, onSent }: Props & { onSent: () => void }) {
  const { t } = useTexts()
  return (
    <WebhookButtons
      name={endpoint.url}
      path={pathOf(endpoint)}
      secretLabel={t('integrations.endpoint.secret')}
      secretNote={t('admin.shownOnce')}
      isEnabled={endpoint.enabled}
      isRotating={endpoint.previous_secret_expires_at !== null}
      {...{ onChanged, onSent }}
    />
  )
}

/** Changes an endpoint, turns it on and off, and removes it. */
export function EndpointMenu({ endpoint, onChanged }: Props) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const { go } = useSite()
  const list = useIntegrationPath()
  const [isEditing, setEditing] = useState(false)
  const path = pathOf(endpoint)
  const { url: name, enabled } = endpoint
  const actions: MenuAction[] = [
    { label: t('integrations.endpoint.change'), open: () => setEditing(true) },
    {
      label: enabled ? t('admin.users.disable') : t('admin.users.enable'),
      question: enabled
        ? t('integrations.endpoint.disableQuestion', { name })
        : t('admin.users.enableQuestion', { login: name }),
      done: enabled ? t('admin.users.disabled', { login: name }) : t('admin.users.enabled', { login: name }),
      run: () => api.patch(path, { enabled: !enabled }),
      onDone: onChanged,
    },
    {
      label: t('admin.delete'),
      question: t('integrations.endpoint.deleteQuestion', { name }),
      done: t('integrations.endpoint.deleted'),
      danger: true,
      run: () => api.delete(path),
      onDone: () => go(list('endpoints')),
    },
  ]
  return (
    <>
      <ActionMenu name={name} actions={actions} />
      {isEditing && (
        <EndpointDialog endpoint={endpoint} onSaved={onChanged} onClose={() => setEditing(false)} />
      )}
    </>
  )
}

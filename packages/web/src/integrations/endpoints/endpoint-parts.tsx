import type { Endpoint } from '@lectern/protocol'
import { useState } from 'react'
import type { Answer } from '../../admin/data/console-api.ts'
import { ActionButton } from '../../admin/parts/ActionButton.tsx'
import { ActionMenu, type MenuAction } from '../../admin/parts/ActionMenu.tsx'
import { Badge } from '../../admin/parts/Badge.tsx'
import { ShownOnce } from '../../admin/parts/ShownOnce.tsx'
import { useAdmin } from '../../admin/use-admin.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
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

/** Sends a test event, and replaces the secret, which is shown once. */
export function EndpointButtons({ endpoint, onChanged, onSent }: Props & { onSent: () => void }) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const [secret, setSecret] = useState<string | null>(null)
  const path = pathOf(endpoint)
  const name = endpoint.url
  const rotate = async (): Promise<Answer<unknown>> => {
    const answer = await api.post<{ secret: string }>(`${path}/rotate`, {})
    if (answer.is === 'ok') setSecret(answer.body.secret)
    return answer
  }
  return (
    <>
      {endpoint.enabled && (
        <ActionButton
          label={t('partnerConsole.test')}
          question={t('partnerConsole.testQuestion', { name })}
          done={t('partnerConsole.tested')}
          run={() => api.post(`${path}/test`)}
          onDone={onSent}
        />
      )}
      {endpoint.previous_secret_expires_at === null && (
        <ActionButton
          label={t('partnerConsole.rotate')}
          question={t('partnerConsole.rotateQuestion', { name })}
          done={t('partnerConsole.rotated')}
          run={rotate}
          onDone={onChanged}
        />
      )}
      {secret !== null && (
        <Dialog title={t('partnerConsole.rotated')} onClose={() => setSecret(null)}>
          <ShownOnce label={t('integrations.endpoint.secret')} note={t('admin.shownOnce')} value={secret} />
        </Dialog>
      )}
    </>
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

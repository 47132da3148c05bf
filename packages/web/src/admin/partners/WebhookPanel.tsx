import type { WebhookResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { ActionMenu, type MenuAction } from '../parts/ActionMenu.tsx'
import { Badge } from '../parts/Badge.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useAdmin } from '../use-admin.ts'
import { WebhookButtons } from '../webhooks/WebhookButtons.tsx'

interface Props {
  /** The name of the service account. */
  name: string
  /** The path of the webhook in the administration API. */
  path: string
  /** A test event was queued. */
  onSent: () => void
}

/** The webhook of a service account, and what administrators can do with it. */
export function WebhookPanel({ name, path, onSent }: Props) {
  const { t } = useTexts()
  const format = useFormat()
  const { state, reload } = useResource<WebhookResponse>(path)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const webhook = state.body
  const previousUntil = webhook.previous_secret_expires_at
  if (!webhook.configured)
    return (
      <Facts
        title={t('partnerConsole.title')}
        facts={[{ name: t('partnerConsole.url'), value: t('partnerConsole.none') }]}
      />
    )
  return (
    <Facts
      title={t('partnerConsole.title')}
      menu={
        <WebhookMenu
          name={name}
          path={path}
          isRotating={previousUntil !== null}
          reload={() => void reload()}
        />
      }
      facts={[
        { name: t('partnerConsole.url'), value: <bdi>{webhook.url}</bdi>, isLong: true },
        { name: t('partnerConsole.events'), value: webhook.events.join(', ') || '—' },
        {
          name: t('admin.column.state'),
          value: webhook.enabled ? (
            <Badge tone="good">{t('partnerConsole.enabled')}</Badge>
          ) : (
            <Badge tone="warm">{t('partnerConsole.disabled')}</Badge>
          ),
        },
        ...(previousUntil === null
          ? []
          : [
              {
                name: t('partnerConsole.previous'),
                value: t('partnerConsole.until', { time: format.time(previousUntil * 1000) }),
              },
            ]),
      ]}
    >
      <WebhookButtons
        name={name}
        path={path}
        secretLabel={t('partnerConsole.secret')}
        secretNote={t('partnerConsole.secretNote')}
        isEnabled
        isRotating={previousUntil !== null}
        onChanged={() => void reload()}
        onSent={onSent}
      />
    </Facts>
  )
}

interface MenuProps extends Omit<Props, 'onSent'> {
  isRotating: boolean
  reload: () => void
}

function WebhookMenu({ name, path, isRotating, reload }: MenuProps) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const finish: MenuAction = {
    label: t('partnerConsole.finish'),
    question: t('partnerConsole.finishQuestion'),
    done: t('partnerConsole.finished'),
    danger: true,
    run: () => api.post(`${path}/rotate/finish`),
    onDone: reload,
  }
  const remove: MenuAction = {
    label: t('partnerConsole.remove'),
    question: t('partnerConsole.removeQuestion', { name }),
    done: t('partnerConsole.removed'),
    danger: true,
    run: () => api.delete(path),
    onDone: reload,
  }
  return <ActionMenu name={t('partnerConsole.title')} actions={isRotating ? [finish, remove] : [remove]} />
}

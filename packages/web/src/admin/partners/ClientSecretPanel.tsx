import type { ClientSecretResponse, NewClientSecretResponse } from '@lectern/protocol'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { failureOf } from '../data/console-api.ts'
import { useResource } from '../data/use-resource.ts'
import { ActionButton } from '../parts/ActionButton.tsx'
import { Facts } from '../parts/Facts.tsx'
import { FailureText } from '../parts/FailureText.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'
import { SmallButton } from '../parts/SmallButton.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useAdmin } from '../use-admin.ts'
import styles from '../users/forms.module.css'

interface Props {
  /** The name of the service account. */
  name: string
  /** The path of the client secret in the API. */
  path: string
}

/** The client secret of a service account: it is replaced, and the one before is revoked. */
export function ClientSecretPanel({ name, path }: Props) {
  const { t } = useTexts()
  const format = useFormat()
  const { api } = useAdmin()
  const { state, reload } = useResource<ClientSecretResponse>(path)
  const [isReplacing, setReplacing] = useState(false)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const until = state.body.previous_secret_expires_at
  return (
    <>
      <Facts
        title={t('admin.serviceAccounts.secret')}
        facts={[
          {
            name: t('partnerConsole.previous'),
            value: until === null ? '—' : t('partnerConsole.until', { time: format.time(Date.parse(until)) }),
          },
        ]}
      >
        {until === null ? (
          <SmallButton label={t('clientSecret.create')} onClick={() => setReplacing(true)} />
        ) : (
          <ActionButton
            label={t('clientSecret.revoke')}
            question={t('clientSecret.revokeQuestion', { name })}
            done={t('clientSecret.revoked')}
            run={() => api.post(`${path}/rotate/finish`)}
            onDone={() => void reload()}
          />
        )}
      </Facts>
      {isReplacing && (
        <ReplaceDialog path={path} onReplaced={() => void reload()} onClose={() => setReplacing(false)} />
      )}
    </>
  )
}

const OVERLAPS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const
type Overlap = keyof typeof OVERLAPS
const OVERLAP_NAMES = Object.keys(OVERLAPS) as Overlap[]

function ReplaceDialog({
  path,
  onReplaced,
  onClose,
}: {
  path: string
  onReplaced: () => void
  onClose: () => void
}) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const [overlap, setOverlap] = useState<Overlap>('day')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const replace = async () => {
    if (isBusy) return
    setBusy(true)
    const body = { overlap_seconds: OVERLAPS[overlap] }
    const answer = await api.post<NewClientSecretResponse>(`${path}/rotate`, body)
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    setSecret(answer.body.client_secret)
    onReplaced()
  }
  return (
    <Dialog title={t('clientSecret.create')} onClose={onClose}>
      <div className={styles.form}>
        {secret !== null ? (
          <>
            <ShownOnce label={t('admin.serviceAccounts.secret')} note={t('admin.shownOnce')} value={secret} />
            <Button onClick={onClose}>{t('admin.close')}</Button>
          </>
        ) : (
          <>
            <p>{t('clientSecret.text')}</p>
            <Select
              label={t('clientSecret.overlap.label')}
              options={OVERLAP_NAMES.map(value => ({ value, label: t(`clientSecret.overlap.${value}`) }))}
              value={overlap}
              onChange={setOverlap}
            />
            <div role="alert" className={styles.failure}>
              {failure && <FailureText code={failure.code} />}
            </div>
            <Button busy={isBusy} onClick={() => void replace()}>
              {t('admin.users.createVerb')}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}

import type { AdminServiceAccount, AdminServiceAccountCreatedResponse } from '@lectern/protocol'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FailureText } from '../parts/FailureText.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'
import { failureOf, useAdmin } from '../use-admin.ts'
import styles from '../users/forms.module.css'

/** Equal to SCOPES of the protocol, whose schemas are not for pages. */
const SCOPES = ['integration:rooms', 'blob'] as const

interface Props {
  /** Null: a new one. */
  account: AdminServiceAccount | null
  onSaved: () => void
  onClose: () => void
}

/** Creates a service account, whose secret is shown once, or changes the scopes of one. */
export function ServiceAccountDialog({ account, onSaved, onClose }: Props) {
  const { t } = useTexts()
  const { api, notify } = useAdmin()
  const [name, setName] = useState(account?.name ?? '')
  const [login, setLogin] = useState('')
  const [scopes, setScopes] = useState<readonly string[]>(account?.scopes ?? SCOPES)
  const [isIncomplete, setIncomplete] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setFailure(null)
    setIncomplete(scopes.length === 0)
    if (scopes.length === 0) return
    setBusy(true)
    const answer = account
      ? await api.patch<AdminServiceAccount>(`/service-accounts/${encodeURIComponent(name)}`, { scopes })
      : await api.post<AdminServiceAccountCreatedResponse>('/service-accounts', {
          name: name.trim(),
          login: login.trim(),
          scopes,
        })
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    onSaved()
    const { client_secret } = answer.body as Partial<AdminServiceAccountCreatedResponse>
    if (client_secret !== undefined) return setSecret(client_secret)
    notify({ text: t('admin.saved'), isFailure: false })
    onClose()
  }

  return (
    <Dialog title={account ? account.name : t('admin.serviceAccounts.create')} onClose={onClose}>
      {secret !== null ? (
        <div className={styles.form}>
          <ShownOnce label={t('admin.serviceAccounts.secret')} note={t('admin.shownOnce')} value={secret} />
          <Button onClick={onClose}>{t('admin.close')}</Button>
        </div>
      ) : (
        <form className={styles.form} onSubmit={event => void submit(event)}>
          {!account && (
            <>
              <Field
                label={t('admin.column.name')}
                value={name}
                onChange={setName}
                required
                maxLength={255}
                pattern="\S+"
                autoComplete="off"
              />
              <Field
                label={t('admin.serviceAccounts.login')}
                value={login}
                onChange={setLogin}
                required
                maxLength={64}
                autoComplete="off"
                autoCapitalize="none"
              />
            </>
          )}
          <fieldset className={styles.choices}>
            <legend>{t('admin.column.scopes')}</legend>
            {SCOPES.map(scope => (
              <label key={scope}>
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={({ target }) =>
                    setScopes(target.checked ? [...scopes, scope] : scopes.filter(each => each !== scope))
                  }
                />
                <code>{scope}</code>
              </label>
            ))}
          </fieldset>
          <p role="alert" className={styles.failure}>
            {isIncomplete && t('admin.serviceAccounts.noScope')}
            {failure && <FailureText code={failure.code} />}
          </p>
          <Button busy={isBusy}>{account ? t('admin.save') : t('admin.users.createVerb')}</Button>
        </form>
      )}
    </Dialog>
  )
}

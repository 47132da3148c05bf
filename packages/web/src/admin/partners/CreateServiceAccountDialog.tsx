import type { AdminServiceAccountCreatedResponse } from '@lectern/protocol'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { failureOf } from '../data/console-api.ts'
import { FailureText } from '../parts/FailureText.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'
import { useAdmin } from '../use-admin.ts'
import styles from '../users/forms.module.css'
import { SCOPES, ScopeChoices } from './ScopeChoices.tsx'

const USERS = ['create', 'existing'] as const
const LOGIN_MAX = 64

interface Props {
  onCreated: () => void
  onClose: () => void
}

/** Creates a service account, with its technical user unless there is one. The secret is shown once. */
export function CreateServiceAccountDialog({ onCreated, onClose }: Props) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const [name, setName] = useState('')
  const [user, setUser] = useState<(typeof USERS)[number]>('create')
  /** Null: follows the name. */
  const [chosenLogin, setLogin] = useState<string | null>(null)
  const [scopes, setScopes] = useState<readonly string[]>(SCOPES)
  const [isIncomplete, setIncomplete] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const login = chosenLogin ?? (user === 'create' ? loginFor(name) : '')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setFailure(null)
    setIncomplete(scopes.length === 0)
    if (scopes.length === 0) return
    setBusy(true)
    const answer = await api.post<AdminServiceAccountCreatedResponse>('/service-accounts', {
      name: name.trim(),
      login: login.trim(),
      scopes,
      ...(user === 'create' && { create_user: true }),
    })
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    onCreated()
    setSecret(answer.body.client_secret)
  }

  return (
    <Dialog title={t('admin.serviceAccounts.create')} onClose={onClose}>
      {secret !== null ? (
        <div className={styles.form}>
          <ShownOnce label={t('admin.serviceAccounts.secret')} note={t('admin.shownOnce')} value={secret} />
          <Button onClick={onClose}>{t('admin.close')}</Button>
        </div>
      ) : (
        <form className={styles.form} onSubmit={event => void submit(event)}>
          <Field
            label={t('admin.column.name')}
            value={name}
            onChange={setName}
            required
            maxLength={255}
            pattern="\S+"
            autoComplete="off"
          />
          <p className={styles.note}>{t('admin.serviceAccounts.nameRule')}</p>
          <Select
            label={t('admin.column.technicalUser')}
            options={USERS.map(value => ({ value, label: t(`adminPages.technicalUser.${value}`) }))}
            value={user}
            onChange={setUser}
          />
          <Field
            label={t('admin.serviceAccounts.login')}
            value={login}
            onChange={setLogin}
            required
            maxLength={LOGIN_MAX}
            autoComplete="off"
            autoCapitalize="none"
          />
          <p className={styles.note}>{t('admin.users.loginRule')}</p>
          <p className={styles.note}>{t('adminPages.technicalUser.note')}</p>
          <ScopeChoices chosen={scopes} onChange={setScopes} />
          <p role="alert" className={styles.failure}>
            {isIncomplete && t('admin.serviceAccounts.noScope')}
            {failure && <FailureText code={failure.code} />}
          </p>
          <Button busy={isBusy}>{t('admin.users.createVerb')}</Button>
        </form>
      )}
    </Dialog>
  )
}

/** A login that nobody takes for a person's, of the characters that logins have. */
const loginFor = (name: string) =>
  name.trim() === ''
    ? ''
    : `${name.trim()}-backend`
        .normalize('NFKD')
        .toLowerCase()
        .replace(/\p{M}+/gu, '')
        .replace(/[^a-z0-9._@+-]+/g, '-')
        .replace(/^[^a-z0-9]+/, '')
        .slice(0, LOGIN_MAX)

import type { AdminUserResponse } from '@lectern/protocol'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { failureOf } from '../data/console-api.ts'
import { reapplied } from '../data/reapplied.ts'
import { FailureText } from '../parts/FailureText.tsx'
import { useAdmin } from '../use-admin.ts'
import { CapabilityChoices } from './CapabilityChoices.tsx'
import { EmailField } from './EmailField.tsx'
import styles from './forms.module.css'
import { PasswordField } from './PasswordField.tsx'

interface Props {
  user: AdminUserResponse
  path: string
  onChanged: (user: AdminUserResponse) => void
}

/** The forms that change an account, one for each thing. Of who comes with a link only the name is changed. */
export function UserForms({ user, path, onChanged }: Props) {
  const { t } = useTexts()
  const [name, setName] = useState(user.display_name)
  const [password, setPassword] = useState('')
  const [email, setEmail] = useState(user.email ?? '')
  const isBehindLink = !user.has_own_login && user.kind !== 'worker'
  return (
    <div className={styles.forms}>
      <ChangeForm
        title={t('admin.users.name')}
        path={path}
        changes={{ display_name: name }}
        onChanged={onChanged}
      >
        <Field label={t('admin.users.name')} value={name} onChange={setName} required maxLength={128} />
      </ChangeForm>
      {!isBehindLink && (
        <>
          <ChangeForm
            title={t('admin.users.email')}
            path={path}
            changes={{ email: email.trim() }}
            onChanged={onChanged}
          >
            <EmailField value={email} onChange={setEmail} />
            <p>{t('admin.users.emailHint')}</p>
          </ChangeForm>
          <CapabilitiesForm key={user.capabilities.join()} {...{ user, path, onChanged }} />
          <ChangeForm
            title={t('admin.users.newPassword')}
            path={path}
            changes={{ password }}
            onChanged={changed => {
              setPassword('')
              onChanged(changed)
            }}
          >
            <PasswordField value={password} onChange={setPassword} />
            <p>{t('admin.users.passwordEnds')}</p>
          </ChangeForm>
        </>
      )}
    </div>
  )
}

function CapabilitiesForm({ user: { capabilities }, path, onChanged }: Props) {
  const { t } = useTexts()
  const [chosen, setChosen] = useState<readonly string[]>(capabilities)
  return (
    <ChangeForm
      title={t('admin.column.capabilities')}
      path={path}
      changes={now => ({ capabilities: reapplied(now.capabilities, capabilities, chosen) })}
      onChanged={onChanged}
    >
      <CapabilityChoices chosen={chosen} onChange={setChosen} />
    </ChangeForm>
  )
}

interface ChangeFormProps {
  title: string
  path: string
  /** A function gets the account as it is now. */
  changes: Record<string, unknown> | ((now: AdminUserResponse) => Record<string, unknown>)
  onChanged: (user: AdminUserResponse) => void
  children: ReactNode
}

function ChangeForm({ title, path, changes, onChanged, children }: ChangeFormProps) {
  const { t } = useTexts()
  const { api, notify } = useAdmin()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)
  const save = async () => {
    if (typeof changes !== 'function') return api.patch<AdminUserResponse>(path, changes)
    const now = await api.get<AdminUserResponse>(path)
    return now.is === 'ok' ? api.patch<AdminUserResponse>(path, changes(now.body)) : now
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const answer = await save()
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    notify({ text: t('admin.saved'), isFailure: false })
    onChanged(answer.body)
  }
  return (
    <form className={styles.card} aria-label={title} onSubmit={event => void submit(event)}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
      <p role="alert" className={styles.failure}>
        {failure && <FailureText code={failure.code} />}
      </p>
      <Button secondary busy={isBusy}>
        {t('admin.save')}
      </Button>
    </form>
  )
}

import type { AdminUserCreatedResponse } from '@lectern/protocol'
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
import { CapabilityChoices } from './CapabilityChoices.tsx'
import { EmailField } from './EmailField.tsx'
import styles from './forms.module.css'
import { PasswordField } from './PasswordField.tsx'

const KINDS = ['ordinary', 'technical', 'worker'] as const
const PASSWORDS = ['invite', 'generate', 'set'] as const

interface Props {
  onCreated: () => void
  onClose: () => void
}

/** Creates an account: with an invitation, a generated password or a given one. */
export function CreateUserDialog({ onCreated, onClose }: Props) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const [login, setLogin] = useState('')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('ordinary')
  const [capabilities, setCapabilities] = useState<readonly string[]>([])
  const [passwordBy, setPasswordBy] = useState<(typeof PASSWORDS)[number]>('invite')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)
  const [created, setCreated] = useState<AdminUserCreatedResponse | null>(null)
  const ways = PASSWORDS.filter(each => kind === 'ordinary' || each !== 'invite')
  const way = ways.find(each => each === passwordBy) ?? 'generate'

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const answer = await api.post<AdminUserCreatedResponse>('/users', {
      login: login.trim(),
      ...(name.trim() && { display_name: name.trim() }),
      ...(email.trim() && { email: email.trim() }),
      kind,
      capabilities,
      ...(way === 'invite' && { invite: true }),
      ...(way === 'set' && { password }),
    })
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    onCreated()
    setCreated(answer.body)
  }

  const secret = created?.invitation_url ?? created?.password ?? null
  return (
    <Dialog title={t('admin.users.create')} onClose={onClose}>
      {created ? (
        <div className={styles.form}>
          <p role="status">{t('admin.users.created', { login: created.login })}</p>
          {secret !== null && (
            <ShownOnce
              label={created.invitation_url ? t('admin.users.invitation') : t('admin.users.password')}
              note={created.invitation_url ? t('admin.users.invitationNote') : t('admin.shownOnce')}
              value={secret}
            />
          )}
          <Button onClick={onClose}>{t('admin.close')}</Button>
        </div>
      ) : (
        <form className={styles.form} onSubmit={event => void submit(event)}>
          <Field
            label={t('admin.column.login')}
            value={login}
            onChange={setLogin}
            required
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <p className={styles.note}>{t('admin.users.loginRule')}</p>
          <Field
            label={t('admin.users.name')}
            value={name}
            onChange={setName}
            maxLength={128}
            autoComplete="off"
          />
          <EmailField value={email} onChange={setEmail} />
          <Select
            label={t('admin.column.kind')}
            options={KINDS.map(value => ({ value, label: t(`admin.users.kind.${value}`) }))}
            value={kind}
            onChange={value => setKind(value as typeof kind)}
          />
          <CapabilityChoices chosen={capabilities} onChange={setCapabilities} />
          <Select
            label={t('admin.users.password')}
            options={ways.map(value => ({ value, label: t(`admin.users.passwordBy.${value}`) }))}
            value={way}
            onChange={value => setPasswordBy(value as typeof passwordBy)}
          />
          {way === 'set' && <PasswordField value={password} onChange={setPassword} />}
          <p role="alert" className={styles.failure}>
            {failure && <FailureText code={failure.code} />}
          </p>
          <Button busy={isBusy}>{t('admin.users.createVerb')}</Button>
        </form>
      )}
    </Dialog>
  )
}

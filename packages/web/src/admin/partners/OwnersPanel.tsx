import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { failureOf } from '../data/console-api.ts'
import { ActionMenu } from '../parts/ActionMenu.tsx'
import { Facts } from '../parts/Facts.tsx'
import { FailureText } from '../parts/FailureText.tsx'
import { SmallButton } from '../parts/SmallButton.tsx'
import { useAdmin } from '../use-admin.ts'
import styles from '../users/forms.module.css'

interface Props {
  /** The name of the service account. */
  name: string
  /** The logins of the owners. */
  owners: readonly string[]
  onChanged: () => void
}

/** The people who act for the service account with their own sign-in. */
export function OwnersPanel({ name, owners, onChanged }: Props) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const [isAdding, setAdding] = useState(false)
  const path = (login: string) =>
    `/service-accounts/${encodeURIComponent(name)}/owners/${encodeURIComponent(login)}`
  const menu = (
    <ActionMenu
      name={t('owners.title')}
      actions={owners.map(login => ({
        label: t('owners.remove', { login }),
        question: t('owners.removeQuestion', { login, name }),
        done: t('owners.removed', { login }),
        danger: true,
        run: () => api.delete(path(login)),
        onDone: onChanged,
      }))}
    />
  )
  return (
    <>
      <Facts
        title={t('owners.title')}
        menu={menu}
        facts={[{ name: t('admin.column.login'), value: owners.join(', ') || '—' }]}
      >
        <SmallButton label={t('owners.add')} onClick={() => setAdding(true)} />
      </Facts>
      {isAdding && <AddDialog path={path} onAdded={onChanged} onClose={() => setAdding(false)} />}
    </>
  )
}

interface AddDialogProps {
  path: (login: string) => string
  onAdded: () => void
  onClose: () => void
}

function AddDialog({ path, onAdded, onClose }: AddDialogProps) {
  const { t } = useTexts()
  const { api, notify } = useAdmin()
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)
  const login = text.trim()
  const submit = async () => {
    if (isBusy || login === '') return
    setBusy(true)
    const answer = await api.put(path(login))
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    notify({ text: t('owners.added', { login }), isFailure: false })
    onAdded()
    onClose()
  }
  return (
    <Dialog title={t('owners.add')} onClose={onClose}>
      <Form className={styles.form} onSubmit={submit}>
        <p>{t('owners.text')}</p>
        <Field
          label={t('admin.column.login')}
          value={text}
          onChange={setText}
          required
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
        />
        <div role="alert" className={styles.failure}>
          {failure && <FailureText code={failure.code} />}
        </div>
        <Button busy={isBusy}>{t('owners.add')}</Button>
      </Form>
    </Dialog>
  )
}

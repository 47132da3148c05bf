import type { AdminServiceAccount } from '@lectern/protocol'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { failureOf } from '../data/console-api.ts'
import { reapplied } from '../data/reapplied.ts'
import { FailureText } from '../parts/FailureText.tsx'
import { useAdmin } from '../use-admin.ts'
import styles from '../users/forms.module.css'
import { ScopeChoices } from './ScopeChoices.tsx'

interface Props {
  account: AdminServiceAccount
  onSaved: () => void
  onClose: () => void
}

/** Changes the scopes of a service account. */
export function ScopesDialog({ account: { name, scopes: current }, onSaved, onClose }: Props) {
  const { t } = useTexts()
  const { api, notify } = useAdmin()
  const [scopes, setScopes] = useState<readonly string[]>(current)
  const [isIncomplete, setIncomplete] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setFailure(null)
    setIncomplete(scopes.length === 0)
    if (scopes.length === 0) return
    setBusy(true)
    const path = `/service-accounts/${encodeURIComponent(name)}`
    const now = await api.get<AdminServiceAccount>(path)
    const answer =
      now.is === 'ok' ? await api.patch(path, { scopes: reapplied(now.body.scopes, current, scopes) }) : now
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    notify({ text: t('admin.saved'), isFailure: false })
    onSaved()
    onClose()
  }

  return (
    <Dialog title={name} onClose={onClose}>
      <form className={styles.form} onSubmit={event => void submit(event)}>
        <ScopeChoices chosen={scopes} onChange={setScopes} />
        <p role="alert" className={styles.failure}>
          {isIncomplete && t('admin.serviceAccounts.noScope')}
          {failure && <FailureText code={failure.code} />}
        </p>
        <Button busy={isBusy}>{t('admin.save')}</Button>
      </form>
    </Dialog>
  )
}

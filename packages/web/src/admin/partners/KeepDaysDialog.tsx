import type { AdminServiceAccount } from '@lectern/protocol'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { failureOf } from '../data/console-api.ts'
import { FailureText } from '../parts/FailureText.tsx'
import { useAdmin } from '../use-admin.ts'
import styles from '../users/forms.module.css'

interface Props {
  account: AdminServiceAccount
  onSaved: () => void
  onClose: () => void
}

const DAYS_MAX = 3_650

/** When recordings are deleted whose rooms do not say so; empty: never. */
export function KeepDaysDialog({ account: { name, keep_days }, onSaved, onClose }: Props) {
  const { t } = useTexts()
  const { api, notify } = useAdmin()
  const [text, setText] = useState(keep_days === null ? '' : String(keep_days))
  const [tried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)
  const days = text.trim() === '' ? null : Number(text)
  const isValid = days === null || (Number.isInteger(days) && days >= 1 && days <= DAYS_MAX)

  const submit = async () => {
    if (isBusy) return
    setTried(true)
    setFailure(null)
    if (!isValid) return
    setBusy(true)
    const answer = await api.patch(`/service-accounts/${encodeURIComponent(name)}`, { keep_days: days })
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    notify({ text: t('admin.saved'), isFailure: false })
    onSaved()
    onClose()
  }

  return (
    <Dialog title={name} onClose={onClose}>
      <Form className={styles.form} onSubmit={submit}>
        <p>{t('adminPages.keep.text')}</p>
        <Field
          label={t('adminPages.keep.days')}
          value={text}
          onChange={setText}
          inputMode="numeric"
          autoComplete="off"
          error={tried && !isValid ? t('adminPages.keep.invalid') : null}
        />
        <div role="alert" className={styles.failure}>
          {failure && <FailureText code={failure.code} />}
        </div>
        <Button busy={isBusy}>{t('admin.save')}</Button>
      </Form>
    </Dialog>
  )
}

import { useState } from 'react'
import type { Api } from '../api/api.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import styles from './SignInForm.module.css'

type Outcome = 'sent' | 'limited' | 'unreachable' | 'failing'

interface Props {
  api: Pick<Api, 'post'>
  onBack: () => void
}

/** Asks for a link by mail. The answer does not say whether there is such an account. */
export function ForgottenPassword({ api, onBack }: Props) {
  const { t } = useTexts()
  const [login, setLogin] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isMissing = tried && login.trim() === ''

  const submit = async () => {
    if (busy) return
    setTried(true)
    if (login.trim() === '') return
    setBusy(true)
    setOutcome(null)
    const answer = await api.post('/api/v1.0/auth/password-reset', { login: login.trim() })
    setBusy(false)
    if (answer.is === 'ok') setOutcome('sent')
    else if (answer.is === 'unreachable') setOutcome('unreachable')
    else setOutcome(answer.status === 429 ? 'limited' : 'failing')
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <p>{t('forgotten.text')}</p>
      <Field
        label={t('forgotten.login')}
        value={login}
        onChange={setLogin}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={isMissing ? t('forgotten.missing') : null}
      />
      <div role="alert" className={styles.problem}>
        {outcome && outcome !== 'sent' && <p>{t(`signIn.problem.${outcome}`)}</p>}
      </div>
      <p role="status">{outcome === 'sent' && t('forgotten.sent')}</p>
      <Button busy={busy}>{t('forgotten.verb')}</Button>
      <Button secondary onClick={onBack}>
        {t('forgotten.back')}
      </Button>
    </Form>
  )
}

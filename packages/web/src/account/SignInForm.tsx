import { useRef, useState } from 'react'
import type { Account, SignInProblem } from '../identity/account.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import styles from './SignInForm.module.css'
import { SignInProblemLine } from './SignInProblemLine.tsx'

/** User name and password, in a form that password managers recognise. */
export function SignInForm({ account }: { account: Pick<Account, 'signIn'> }) {
  const { t } = useTexts()
  const passwordField = useRef<HTMLInputElement>(null)
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const missing = (value: string) => tried && value.trim() === ''

  const submit = async () => {
    if (busy) return
    setTried(true)
    if (login.trim() === '' || password === '') return
    setBusy(true)
    setProblem(null)
    const outcome = await account.signIn(login.trim(), password)
    setBusy(false)
    setProblem(outcome)
    if (outcome?.is === 'wrong') passwordField.current?.select()
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <Field
        label={t('signIn.login')}
        value={login}
        onChange={setLogin}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={missing(login) ? t('signIn.loginMissing') : null}
      />
      <Field
        ref={passwordField}
        label={t('signIn.password')}
        value={password}
        onChange={setPassword}
        type="password"
        name="password"
        autoComplete="current-password"
        required
        error={missing(password) ? t('signIn.passwordMissing') : null}
      />
      <SignInProblemLine problem={problem} />
      <Button busy={busy}>{busy ? t('signIn.busy') : t('signIn.verb')}</Button>
    </Form>
  )
}

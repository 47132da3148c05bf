import { useState } from 'react'
import { NewPasswordFields } from '../account/NewPasswordFields.tsx'
import { checkNewPassword } from '../account/new-password.ts'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { describeDistance } from '../time/format.ts'
import { useServerTime } from '../time/use-server-time.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { useValue } from '../use-value.ts'
import styles from './InvitePage.module.css'
import type { AcceptFailure, Invitation } from './invitation-page.ts'

interface Props {
  title: string
  invitation: Invitation
  isAccepting: boolean
  failure: AcceptFailure | null
  onAccept: (password: string) => void
}

export function AcceptForm({ title, invitation, isAccepting, failure, onAccept }: Props) {
  const { t, locale } = useTexts()
  const { account } = useSite()
  const now = useServerTime()
  const signedIn = useValue(account)
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isShown, setShown] = useState(false)
  const [tried, setTried] = useState(false)
  const error = checkNewPassword(password, repeated)
  const { login, displayName: name, hasPassword, expiresAt } = invitation

  const submit = () => {
    setTried(true)
    if (!error) onAccept(password)
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>
        {hasPassword ? t('invite.resetText', { name }) : t('invite.text', { name })}
      </p>
      {signedIn.is === 'in' && signedIn.user.login !== login && !isAccepting && (
        <p className={styles.note}>{t('invite.signedInAs', { login: signedIn.user.login })}</p>
      )}
      <Field
        label={t('signIn.login')}
        value={login}
        onChange={() => {}}
        name="username"
        autoComplete="username"
        readOnly
      />
      <NewPasswordFields
        password={password}
        repeated={repeated}
        onPassword={setPassword}
        onRepeated={setRepeated}
        isShown={isShown}
        onShown={setShown}
        error={tried ? error : null}
      />
      <div role="alert" className={styles.note}>
        {failure && t(`invite.failure.${failure}`)}
      </div>
      <Button busy={isAccepting}>{isAccepting ? t('invite.accepting') : t('invite.accept')}</Button>
      <p className={styles.expires}>
        {t('invite.expires', { when: describeDistance(expiresAt, now, { locale }) })}
      </p>
    </Form>
  )
}

import { useEffect, useState } from 'react'
import { ForgottenPassword } from '../account/ForgottenPassword.tsx'
import { SignInForm } from '../account/SignInForm.tsx'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { useValue } from '../use-value.ts'
import styles from './SignIn.module.css'
import { SsoButton } from './SsoButton.tsx'

/** All ways to sign in that the server offers. */
export function SignIn() {
  const { t } = useTexts()
  const { sso, account, api } = useSite()
  const [isForgotten, setForgotten] = useState(false)
  const methods = useValue(sso)
  useEffect(() => void sso.load(), [sso])
  // A password is almost always possible: its form appears at once, and keeps what was typed meanwhile.
  const {
    password = true,
    password_reset: canReset = false,
    sso: isOffered = false,
    sso_name: name = '',
  } = methods ?? {}
  if (isForgotten) return <ForgottenPassword api={api} onBack={() => setForgotten(false)} />
  return (
    <div className={styles.ways}>
      {password && <SignInForm account={account} />}
      {canReset && <LinkButton onClick={() => setForgotten(true)}>{t('forgotten.ask')}</LinkButton>}
      {password && isOffered && (
        <p className={styles.or}>
          <span>{t('sso.or')}</span>
        </p>
      )}
      {isOffered && <SsoButton name={name} secondary={password} />}
    </div>
  )
}

import { useEffect } from 'react'
import { SignInForm } from '../account/SignInForm.tsx'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import styles from './SignIn.module.css'
import { SsoButton } from './SsoButton.tsx'

/** All ways to sign in that the server offers. */
export function SignIn() {
  const { t } = useTexts()
  const { sso, account } = useSite()
  const methods = useValue(sso)
  useEffect(() => void sso.load(), [sso])
  // A password is almost always possible: its form appears at once, and keeps what was typed meanwhile.
  const { password = true, sso: isOffered = false, sso_name: name = '' } = methods ?? {}
  return (
    <div className={styles.ways}>
      {password && <SignInForm account={account} />}
      {password && isOffered && (
        <p className={styles.or}>
          <span>{t('sso.or')}</span>
        </p>
      )}
      {isOffered && <SsoButton name={name} secondary={password} />}
    </div>
  )
}

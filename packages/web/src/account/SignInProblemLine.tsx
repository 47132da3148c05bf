import type { SignInProblem } from '../identity/account.ts'
import { useTexts } from '../texts/use-texts.ts'
import { clock } from '../time/clock.ts'
import { describeCountdown } from '../time/format.ts'
import { useValue } from '../use-value.ts'
import styles from './SignInForm.module.css'

/** Why the sign-in failed, announced once to screen readers. */
export function SignInProblemLine({ problem }: { problem: SignInProblem | null }) {
  const { t } = useTexts()
  return (
    <>
      <div role="alert" className={styles.problem}>
        {problem && <p>{t(`signIn.problem.${problem.is}`)}</p>}
      </div>
      {problem?.is === 'limited' && <Countdown until={problem.until} />}
    </>
  )
}

/** Outside the alert: screen readers would announce every second. */
function Countdown({ until }: { until: number }) {
  const { t, locale } = useTexts()
  const now = useValue(clock)
  if (now >= until) return null
  return (
    <p className={styles.problem}>{t('signIn.next', { when: describeCountdown(until, now, { locale }) })}</p>
  )
}

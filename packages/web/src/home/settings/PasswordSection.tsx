import { useRef, useState } from 'react'
import { NewPasswordFields } from '../../account/NewPasswordFields.tsx'
import { checkNewPassword } from '../../account/new-password.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { clock } from '../../time/clock.ts'
import { describeCountdown } from '../../time/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useValue } from '../../use-value.ts'
import type { OwnAccount, PasswordProblem } from './own-account.ts'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'

interface Props {
  own: OwnAccount
  /** The other sign-ins have ended. */
  onChanged: () => void
}

export function PasswordSection({ own, onChanged }: Props) {
  const { t } = useTexts()
  const state = useValue(own)
  if (state.is !== 'known') return null
  const { login, hasPassword } = state.profile
  return (
    <SettingsSection
      title={t('settings.password')}
      hint={hasPassword ? t('settings.passwordHint') : t('settings.noPassword')}
    >
      {hasPassword && <PasswordForm login={login} change={own.changePassword} onChanged={onChanged} />}
    </SettingsSection>
  )
}

interface FormProps {
  login: string
  change: OwnAccount['changePassword']
  onChanged: () => void
}

function PasswordForm({ login, change, onChanged }: FormProps) {
  const { t } = useTexts()
  const currentField = useRef<HTMLInputElement>(null)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isShown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [outcome, setOutcome] = useState<PasswordProblem | { is: 'changed' } | null>(null)
  const error = checkNewPassword(next, repeated)
  const isWrong = outcome?.is === 'wrong'

  const submit = async () => {
    if (busy) return
    setTried(true)
    setOutcome(null)
    if (current === '' || error) return
    setBusy(true)
    const problem = await change(current, next)
    setBusy(false)
    setOutcome(problem ?? { is: 'changed' })
    if (problem?.is === 'wrong') currentField.current?.select()
    if (problem) return
    for (const clear of [setCurrent, setNext, setRepeated]) clear('')
    setTried(false)
    setShown(false)
    onChanged()
  }
  const currentError = tried && current === '' ? t('settings.currentMissing') : null
  return (
    <Form className={styles.form} onSubmit={submit}>
      {/* Password managers store the new password for this name. */}
      <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
      <Field
        ref={currentField}
        label={t('settings.current')}
        value={current}
        onChange={value => {
          setCurrent(value)
          setOutcome(null)
        }}
        type={isShown ? 'text' : 'password'}
        name="current-password"
        autoComplete="current-password"
        required
        error={isWrong ? t('settings.problem.wrong') : currentError}
      />
      <NewPasswordFields
        password={next}
        repeated={repeated}
        onPassword={setNext}
        onRepeated={setRepeated}
        isShown={isShown}
        onShown={setShown}
        error={tried ? error : null}
      />
      <Button secondary busy={busy}>
        {busy ? t('settings.changing') : t('settings.change')}
      </Button>
      <p role="status" className={outcome?.is === 'changed' ? styles.done : styles.failed}>
        {outcome?.is === 'changed' && t('settings.changed')}
        {outcome && outcome.is !== 'changed' && !isWrong && t(`settings.problem.${outcome.is}`)}
      </p>
      {outcome?.is === 'limited' && <Countdown until={outcome.until} />}
    </Form>
  )
}

/** Outside the status: screen readers would announce every second. */
function Countdown({ until }: { until: number }) {
  const { t, locale } = useTexts()
  const now = useValue(clock)
  if (now >= until) return null
  return (
    <p className={styles.note}>{t('signIn.next', { when: describeCountdown(until, now, { locale }) })}</p>
  )
}

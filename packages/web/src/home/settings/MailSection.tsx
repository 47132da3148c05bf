import { useId, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { OwnAccount } from './own-account.ts'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'

/** Which mails the user gets; nothing if the server cannot send any to the account. */
export function MailSection({ own }: { own: OwnAccount }) {
  const { t } = useTexts()
  const id = useId()
  const state = useValue(own)
  const [changing, setChanging] = useState<boolean | null>(null)
  const [hasFailed, setFailed] = useState(false)
  if (state.is !== 'known') return null
  const { email, missedCallMails } = state.profile
  if (email === null || missedCallMails === null) return null
  const change = async (isOn: boolean) => {
    if (changing !== null) return
    setChanging(isOn)
    setFailed(false)
    setFailed(!(await own.setMissedCallMails(isOn)))
    setChanging(null)
  }
  return (
    <SettingsSection title={t('settings.mail')} hint={t('settings.mailHint', { email })}>
      <p className={styles.choice}>
        <input
          id={id}
          type="checkbox"
          checked={changing ?? missedCallMails}
          onChange={({ target }) => void change(target.checked)}
        />
        <label htmlFor={id}>{t('settings.missedCallMails')}</label>
      </p>
      <p role="status" className={styles.failed}>
        {hasFailed && t('settings.notSaved')}
      </p>
    </SettingsSection>
  )
}

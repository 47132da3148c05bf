import { useEffect, useState } from 'react'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { describeDistance } from '../../time/format.ts'
import { useServerTime } from '../../time/use-server-time.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { useValue } from '../../use-value.ts'
import { CalendarLink } from './calendar-link.ts'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'

/** The link with which calendar programs follow the user's meetings. */
export function CalendarSection() {
  const { t, locale } = useTexts()
  const { account } = useSite()
  const [link] = useState(() => new CalendarLink(account))
  const state = useValue(link)
  const now = useServerTime()
  const { isCopied, copy } = useCopy()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  useEffect(() => void link.load(), [link])
  const run = async (action: () => Promise<boolean>) => {
    if (busy) return
    setBusy(true)
    setFailed(!(await action()))
    setBusy(false)
  }
  const url = state.is === 'known' ? state.url : null
  return (
    <SettingsSection title={t('settings.calendar.title')} hint={t('settings.calendar.hint')}>
      {state.is === 'known' && (
        <p className={styles.note}>
          {t('settings.calendar.since', { when: describeDistance(state.createdAt, now, { locale }) })}
        </p>
      )}
      {url !== null && (
        <div className={styles.wide}>
          <Field
            label={t('settings.calendar.address')}
            value={url}
            onChange={() => {}}
            onFocus={({ target }) => target.select()}
            readOnly
            dir="ltr"
          />
          <p className={styles.note}>{t('settings.calendar.once')}</p>
          <Button onClick={() => void copy(url)}>
            {isCopied ? t('meetings.copied') : t('meetings.copy')}
          </Button>
        </div>
      )}
      {(state.is === 'none' || state.is === 'known') && (
        <Button secondary busy={busy} onClick={() => void run(link.create)}>
          {state.is === 'none' ? t('settings.calendar.create') : t('settings.calendar.replace')}
        </Button>
      )}
      {state.is === 'known' && (
        <Button secondary busy={busy} onClick={() => void run(link.revoke)}>
          {t('settings.calendar.revoke')}
        </Button>
      )}
      <p role="status" className={styles.failed}>
        {(failed || state.is === 'unknown') && t('meetings.notDone')}
      </p>
    </SettingsSection>
  )
}

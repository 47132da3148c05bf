import { useId } from 'react'
import { NotificationsSwitch } from '../../push/NotificationsSwitch.tsx'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'

/** How this browser draws attention to calls and messages. */
export function NotificationsSection() {
  const { t } = useTexts()
  const { ringSetting } = useSite()
  const id = useId()
  const isOn = useValue(ringSetting)
  return (
    <SettingsSection title={t('settings.notifications')} hint={t('settings.notificationsHint')}>
      <p className={styles.choice}>
        <input id={id} type="checkbox" checked={isOn} onChange={ringSetting.toggle} />
        <label htmlFor={id}>{t('settings.ring')}</label>
      </p>
      <NotificationsSwitch />
    </SettingsSection>
  )
}

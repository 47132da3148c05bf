import { PreferenceChoices } from '../../site/PreferenceChoices.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './SettingsPage.module.css'
import { SettingsSection } from './SettingsSection.tsx'

export function AppearanceSection() {
  const { t } = useTexts()
  return (
    <SettingsSection title={t('settings.appearance')} hint={t('settings.appearanceHint')}>
      <div className={styles.wide}>
        <PreferenceChoices />
      </div>
    </SettingsSection>
  )
}

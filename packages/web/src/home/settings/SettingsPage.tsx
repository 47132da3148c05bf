import { useEffect, useState } from 'react'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { PageFrame } from '../shell/PageFrame.tsx'
import { AppearanceSection } from './AppearanceSection.tsx'
import { CalendarSection } from './CalendarSection.tsx'
import { DevicesSection } from './DevicesSection.tsx'
import { IdentitySection } from './IdentitySection.tsx'
import { MailSection } from './MailSection.tsx'
import { NotificationsSection } from './NotificationsSection.tsx'
import { OwnAccount } from './own-account.ts'
import { PasswordSection } from './PasswordSection.tsx'
import { ProfileSection } from './ProfileSection.tsx'
import { SettingsGroups } from './SettingsGroups.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import { SignInsSection } from './SignInsSection.tsx'
import { SignIns } from './sign-ins.ts'

/** The settings of users for their account and this browser. */
export function SettingsPage() {
  const { t } = useTexts()
  const { account } = useSite()
  const [own] = useState(() => new OwnAccount(account))
  const [signIns] = useState(() => new SignIns(account))
  useEffect(() => {
    void own.load()
    void signIns.load()
  }, [own, signIns])
  return (
    <PageFrame title={t('home.pages.settings')}>
      <SettingsGroups
        groups={{
          account: (
            <>
              <ProfileSection own={own} />
              <AppearanceSection />
              <MailSection own={own} />
              <CalendarSection />
            </>
          ),
          devices: (
            <>
              <DevicesSection />
              <NotificationsSection />
            </>
          ),
          security: (
            <>
              <PasswordSection own={own} onChanged={() => void signIns.load()} />
              <IdentitySection own={own} />
              <SignInsSection signIns={signIns} />
              <SettingsSection title={t('settings.leave')} hint={t('settings.leaveHint')}>
                <Button secondary onClick={() => void account.signOut()}>
                  {t('settings.leave')}
                </Button>
              </SettingsSection>
            </>
          ),
        }}
      />
    </PageFrame>
  )
}

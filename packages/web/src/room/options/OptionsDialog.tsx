import { Activity, Keyboard, PictureInPicture2 } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { MenuItem } from '../../ui/MenuItem.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useValue } from '../../use-value.ts'
import { ALERTS } from '../alerts/alerts.ts'
import type { Room } from '../room.ts'
import type { SwitchSetting } from '../switch-setting.ts'
import { InvitationItem } from './InvitationItem.tsx'
import styles from './OptionsDialog.module.css'

/** What a participant sets for themselves, and what is needed rarely. The same in every room. */
export function OptionsDialog({ room }: { room: Room }) {
  const { t } = useTexts()
  const { alerts, dialogs, pip, pushToTalk } = room
  const close = () => dialogs.close('options')
  const isPipOpen = useValue(pip).is !== 'closed'
  return (
    <Dialog title={t('options.title')} onClose={close}>
      <div className={styles.items}>
        {room.invitationUrl !== null && <InvitationItem url={room.invitationUrl} />}
        {pip.isSupported && (
          <MenuItem
            icon={PictureInPicture2}
            onClick={() => {
              close()
              void pip.toggle()
            }}
          >
            {isPipOpen ? t('pip.close') : t('pip.open')}
          </MenuItem>
        )}
        <MenuItem icon={Activity} onClick={() => dialogs.show('statistics')}>
          {t('statistics.title')}
        </MenuItem>
        <MenuItem icon={Keyboard} onClick={() => dialogs.show('shortcuts')}>
          {t('menu.shortcuts')}
        </MenuItem>
      </div>
      <fieldset className={styles.choices}>
        <legend className={styles.legend}>{t('options.sounds')}</legend>
        {ALERTS.map(name => (
          <SettingSwitch key={name} label={t(`options.sound.${name}`)} setting={alerts.sounds[name]} />
        ))}
      </fieldset>
      <fieldset className={styles.choices}>
        <legend className={styles.legend}>{t('options.more')}</legend>
        <SettingSwitch label={t('options.tabTitle')} setting={alerts.title} />
        <SettingSwitch label={t('options.pushToTalk')} setting={pushToTalk.setting} />
      </fieldset>
    </Dialog>
  )
}

function SettingSwitch({ label, setting }: { label: string; setting: SwitchSetting }) {
  return <Switch label={label} on={useValue(setting)} onChange={setting.choose} />
}

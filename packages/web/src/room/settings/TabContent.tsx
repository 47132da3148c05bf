import type { Devices } from '../../devices/devices.ts'
import { BackgroundPicker } from '../../prejoin/background/BackgroundPicker.tsx'
import { DeviceNotes } from '../../prejoin/DeviceNotes.tsx'
import { DeviceSettings } from '../../prejoin/DeviceSettings.tsx'
import { LevelMeter } from '../../prejoin/LevelMeter.tsx'
import { MicrophoneSettings } from '../../prejoin/MicrophoneSettings.tsx'
import { Preview } from '../../prejoin/Preview.tsx'
import { PreferenceChoices } from '../../site/PreferenceChoices.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ALERTS } from '../alerts/alerts.ts'
import type { SettingsTab } from '../dialogs.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { StatisticsList } from '../statistics/StatisticsList.tsx'
import { KeysTab } from './KeysTab.tsx'
import { SettingSwitch } from './SettingSwitch.tsx'
import styles from './SettingsDialog.module.css'

interface Props {
  tab: SettingsTab
  room: Room
  joined: JoinedState
}

export function TabContent({ tab, room, joined }: Props) {
  switch (tab) {
    case 'audio':
      return <AudioTab devices={room.devices} />
    case 'video':
      return <VideoTab devices={room.devices} />
    case 'notices':
      return <NoticesTab room={room} />
    case 'appearance':
      return <PreferenceChoices />
    case 'keys':
      return <KeysTab room={room} />
    case 'statistics':
      return <StatisticsList room={room} joined={joined} />
  }
}

function AudioTab({ devices }: { devices: Devices }) {
  const isOn = useValue(devices.microphone).is === 'on'
  return (
    <>
      <DeviceNotes devices={devices} />
      <DeviceSettings devices={devices} only="audio" />
      {isOn && <LevelMeter level={devices.level} />}
      <MicrophoneSettings devices={devices} />
    </>
  )
}

function VideoTab({ devices }: { devices: Devices }) {
  return (
    <>
      <DeviceNotes devices={devices} />
      <DeviceSettings devices={devices} only="video" />
      <Preview camera={devices.camera} microphone={devices.microphone} />
      <BackgroundPicker devices={devices} />
    </>
  )
}

function NoticesTab({ room: { alerts, features, messageBubble } }: { room: Room }) {
  const { t } = useTexts()
  return (
    <>
      <fieldset className={styles.choices}>
        <legend className={styles.legend}>{t('options.sounds')}</legend>
        {ALERTS.map(name => (
          <SettingSwitch key={name} label={t(`options.sound.${name}`)} setting={alerts.sounds[name]} />
        ))}
      </fieldset>
      <div>
        {features.chat && <SettingSwitch label={t('options.bubble')} setting={messageBubble} />}
        <SettingSwitch label={t('options.tabTitle')} setting={alerts.title} />
      </div>
    </>
  )
}

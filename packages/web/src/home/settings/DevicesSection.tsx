import { useEffect, useState } from 'react'
import { browserBackground } from '../../devices/background/browser-effect.ts'
import { browserDevices } from '../../devices/browser-port.ts'
import { Devices } from '../../devices/devices.ts'
import { meterTrack } from '../../devices/meter-track.ts'
import { Rnnoise } from '../../devices/rnnoise.ts'
import { BackgroundPicker } from '../../prejoin/background/BackgroundPicker.tsx'
import { DeviceNotes } from '../../prejoin/DeviceNotes.tsx'
import { DeviceSettings } from '../../prejoin/DeviceSettings.tsx'
import { InputToggle } from '../../prejoin/InputToggle.tsx'
import { LevelMeter } from '../../prejoin/LevelMeter.tsx'
import { MicrophoneSettings } from '../../prejoin/MicrophoneSettings.tsx'
import { Preview } from '../../prejoin/Preview.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import styles from './DevicesSection.module.css'
import { SettingsSection } from './SettingsSection.tsx'

/** Selects the devices. They are opened on request only: a page of settings turns no camera on. */
export function DevicesSection() {
  const { t } = useTexts()
  const [devices, setDevices] = useState<Devices | null>(null)
  useEffect(() => () => devices?.close(), [devices])
  const check = () => {
    const opened = new Devices(
      browserDevices,
      meterTrack,
      () => localStorage,
      new Rnnoise(),
      browserBackground,
    )
    setDevices(opened)
    void opened.start()
  }
  return (
    <SettingsSection title={t('settings.devices')} hint={t('settings.devicesHint')}>
      {devices && <OpenDevices devices={devices} />}
      {devices ? (
        <Button secondary onClick={() => setDevices(null)}>
          {t('settings.stopCheck')}
        </Button>
      ) : (
        <Button secondary onClick={check}>
          {t('settings.check')}
        </Button>
      )}
    </SettingsSection>
  )
}

function OpenDevices({ devices }: { devices: Devices }) {
  const { camera, microphone, level } = devices
  const isMicrophoneOn = useValue(microphone).is === 'on'
  return (
    <div className={styles.devices}>
      <Preview camera={camera} microphone={microphone} />
      <div className={styles.controls}>
        <InputToggle input={microphone} />
        <InputToggle input={camera} />
        {isMicrophoneOn && <LevelMeter level={level} />}
      </div>
      <DeviceNotes devices={devices} />
      <DeviceSettings devices={devices} />
      <MicrophoneSettings devices={devices} />
      <BackgroundPicker devices={devices} />
    </div>
  )
}

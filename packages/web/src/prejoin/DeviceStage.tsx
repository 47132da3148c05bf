import type { Devices } from '../devices/devices.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import { DeviceNotes } from './DeviceNotes.tsx'
import styles from './DeviceStage.module.css'
import { InputToggle } from './InputToggle.tsx'
import { LevelMeter } from './LevelMeter.tsx'
import { Preview } from './Preview.tsx'
import { SettingsButton } from './SettingsButton.tsx'

/** The own picture with its controls, and what is to be known about the devices. Without a camera the notes replace the picture. */
export function DeviceStage({ devices }: { devices: Devices }) {
  const { camera, microphone } = devices
  const isWithout = useValue(camera).is === 'failed'
  return (
    <div className={isWithout ? styles.without : styles.stage}>
      <div className={styles.picture}>
        <div className={styles.box}>
          {!isWithout && (
            <div className={styles.preview}>
              <Preview camera={camera} microphone={microphone} />
            </div>
          )}
          <div className={styles.controls}>
            <InputToggle input={microphone} />
            <InputToggle input={camera} />
            {devices.background.isSupported && <SettingsButton devices={devices} only="background" />}
            <SettingsButton devices={devices} />
          </div>
          <div className={styles.line}>
            <MicrophoneLine devices={devices} />
          </div>
        </div>
      </div>
      <div className={styles.notes}>
        <DeviceNotes devices={devices} />
      </div>
    </div>
  )
}

/** The level, or that nobody will hear anything. A failed microphone has a note. */
function MicrophoneLine({ devices: { camera, microphone, level } }: { devices: Devices }) {
  const { t } = useTexts()
  const { is } = useValue(microphone)
  const without = ['off', 'failed'].includes(useValue(camera).is) ? 'both' : 'microphone'
  if (is === 'on') return <LevelMeter level={level} />
  return is === 'off' && <p>{t(`prejoin.without.${without}`)}</p>
}

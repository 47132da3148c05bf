import type { Devices } from '../devices/devices.ts'
import { canChooseSpeaker } from '../devices/test-sound.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import { DeviceSelect } from './DeviceSelect.tsx'
import styles from './DeviceSettings.module.css'
import { TestSoundButton } from './TestSoundButton.tsx'

/** Selects camera, microphone and speaker. Without permission there is nothing to select. */
export function DeviceSettings({ devices }: { devices: Devices }) {
  const { t } = useTexts()
  const { camera, microphone, speaker } = devices
  const listed = useValue(devices.list)
  useValue(camera) // `deviceId` changes with it
  useValue(microphone)
  const { id: speakerId } = useValue(speaker)
  return (
    <section className={styles.settings} aria-label={t('prejoin.settings')}>
      {[microphone, camera].map(({ kind, deviceId, choose }) => (
        <DeviceSelect
          key={kind}
          kind={kind}
          devices={listed[kind]}
          chosen={deviceId ?? ''}
          onChoose={device => void choose(device)}
        />
      ))}
      <div className={styles.speaker}>
        {canChooseSpeaker() && (
          <DeviceSelect
            kind="speaker"
            devices={listed.speaker}
            chosen={speakerId}
            otherwise={t('prejoin.systemSpeaker')}
            onChoose={speaker.choose}
          />
        )}
        <TestSoundButton speakerId={speakerId} />
      </div>
    </section>
  )
}

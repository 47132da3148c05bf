import type { Devices } from '../devices/devices.ts'
import { canChooseSpeaker } from '../devices/test-sound.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import { DeviceSelect } from './DeviceSelect.tsx'
import styles from './DeviceSettings.module.css'
import { TestSoundButton } from './TestSoundButton.tsx'

interface Props {
  devices: Devices
  /** Absent: all of them. */
  only?: 'audio' | 'video'
}

/** Selects camera, microphone and speaker. Without permission there is nothing to select. */
export function DeviceSettings({ devices, only }: Props) {
  const { t } = useTexts()
  const { camera, microphone, speaker } = devices
  const listed = useValue(devices.list)
  useValue(camera) // `deviceId` changes with it
  useValue(microphone)
  const { id: speakerId } = useValue(speaker)
  const inputs = [...(only === 'video' ? [] : [microphone]), ...(only === 'audio' ? [] : [camera])]
  return (
    <section className={styles.settings} aria-label={t('prejoin.settings')}>
      {inputs.map(({ kind, deviceId, choose }) => (
        <DeviceSelect
          key={kind}
          kind={kind}
          devices={listed[kind]}
          chosen={deviceId ?? ''}
          onChoose={device => void choose(device)}
        />
      ))}
      {only !== 'video' && (
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
      )}
    </section>
  )
}

import type { Devices } from '../devices/devices.ts'
import { NOISE_SUPPRESSIONS } from '../devices/microphone-mode.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Segments } from '../ui/Segments.tsx'
import { Switch } from '../ui/Switch.tsx'
import { useValue } from '../use-value.ts'
import styles from './MicrophoneSettings.module.css'

/** How the sound of the microphone is processed. Music mode leaves nothing to suppress. */
export function MicrophoneSettings({ devices }: { devices: Devices }) {
  const { t } = useTexts()
  const { noise, isMusic } = useValue(devices.microphoneMode)
  return (
    <div className={styles.settings}>
      {!isMusic && (
        <Segments
          legend={t('microphone.noise')}
          options={NOISE_SUPPRESSIONS.map(value => ({ value, label: t(`microphone.noiseOptions.${value}`) }))}
          value={noise}
          onChange={devices.suppressNoise}
        />
      )}
      <div>
        <Switch label={t('microphone.music')} on={isMusic} onChange={devices.playMusic} />
        <p className={styles.hint}>{t('microphone.musicHint')}</p>
      </div>
    </div>
  )
}

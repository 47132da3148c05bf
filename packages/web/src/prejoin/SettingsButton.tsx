import { Settings, Wallpaper } from 'lucide-react'
import { useState } from 'react'
import type { Devices } from '../devices/devices.ts'
import { useModule } from '../site/use-module.ts'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Line } from './DeviceNotes.tsx'
import styles from './SettingsButton.module.css'

interface Props {
  devices: Devices
  /** Absent: all of them. */
  only?: 'background'
}

/** Opens the settings, whose code loads meanwhile. */
export function SettingsButton({ devices, only }: Props) {
  const { t } = useTexts()
  const [presses, setPresses] = useState(0)
  return (
    <>
      <IconButton
        icon={only ? Wallpaper : Settings}
        label={t(only ? 'background.title' : 'prejoin.options')}
        onClick={() => setPresses(presses + 1)}
      />
      {presses > 0 && (
        <LoadedDialog key={presses} devices={devices} only={only} onClose={() => setPresses(0)} />
      )}
    </>
  )
}

/** If the code does not load, another press tries again. */
function LoadedDialog({ devices, only, onClose }: Props & { onClose: () => void }) {
  const { t } = useTexts()
  const { prejoinSettings } = useSite()
  const state = useModule(prejoinSettings)
  if (state.is === 'loading') return null
  if (state.is === 'failed')
    return (
      <div className={styles.failed} role="alert">
        <Line isAlert name={t('loading.failed')} text={t('loading.failedText')} />
      </div>
    )
  const { BackgroundDialog, SettingsDialog } = state.module
  const Dialog = only ? BackgroundDialog : SettingsDialog
  return <Dialog devices={devices} onClose={onClose} />
}
